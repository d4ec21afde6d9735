# formula.rb - stands in for Homebrew: runs the install block and the test block of a formula.
# SPDX-License-Identifier: MIT
#
# usage: ruby formula.rb FORMULA PREFIX TESTPATH       in the folder of the sources
require "pathname"

def ENV.cc = fetch("CC", "cc")

class Formula
  class << self
    attr_reader :formula, :tested

    %i[desc license head depends_on uses_from_macos].each { |name| define_method(name) { |*, **| } }

    def inherited(formula)
      super
      @formula = formula
    end

    def test(&block) = @tested = block
  end

  attr_reader :prefix, :testpath

  def initialize(prefix, testpath)
    @prefix = prefix
    @testpath = testpath
  end

  def bin = prefix/"bin"
  def include = prefix/"include"
  def lib = prefix/"lib"
  def system(*command) = Kernel.system(*command.map(&:to_s), exception: true)
end

formula, prefix, testpath = ARGV.map { |path| Pathname(path).expand_path }
load formula
made = Formula.formula.new(prefix, testpath)
made.install
Dir.chdir(testpath) { made.instance_exec(&Formula.formula.tested) }
