# Homebrew: brew install --HEAD pktc, with this file in a tap. It builds a clone of pktc that HOMEBREW_PKTC names; a release
# has its homepage, url and sha256 instead.
class Pktc < Formula
  desc "Compiler of packet schemas for games to C"
  license "MIT"
  head ENV.fetch("HOMEBREW_PKTC", __dir__), using: :git

  depends_on "lemon" => :build
  depends_on "re2c" => :build
  depends_on "jansson"
  depends_on "zstd"
  uses_from_macos "zlib"

  def install
    system "make", "install", "CC=#{ENV.cc}", "prefix=#{prefix}"
  end

  test do
    (testpath/"game.pkt").write "protocol game = 1;\npacket Join { u32 salt; }\n"
    (testpath/"game.c").write <<~C
      #include "game.h"
      int main(void)
      {
          unsigned char data[Join_MAX_BYTES];
          Join join = {7}, seen;
          size_t size = Join_pack(&join, data, sizeof data);
          return size != 0 && Join_unpack(&seen, data, size) && seen.salt == 7 ? 0 : 1;
      }
    C
    system bin/"pktc", "--no-runtime", "-o", "made", "game.pkt"
    system ENV.cc, "-Imade", "-I#{include}/pktc", "-o", "game", "game.c", "made/game.c", "-L#{lib}", "-lpkt"
    system "./game"
    system bin/"pktc", "-o", "alone", "game.pkt"
    system ENV.cc, "-Ialone", "-o", "game", "game.c", *Dir["alone/*.c"]
    system "./game"
  end
end
