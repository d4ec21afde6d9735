// ModuleRules.cs - as much of Unreal's build tool as docs/engines.md uses.
// SPDX-License-Identifier: MIT
using System;
using System.Collections.Generic;

namespace UnrealBuildTool
{
    public enum FPSemanticsMode { Default, Precise, Imprecise }

    public class ReadOnlyTargetRules { }

    public class ModuleRules
    {
        public enum PCHUsageMode { Default, NoPCHs }

        public PCHUsageMode PCHUsage;
        public FPSemanticsMode FPSemantics;
        public string ModuleDirectory = "Source/GameNet";
        public List<string> PublicDependencyModuleNames = new List<string>();
        public List<string> PublicIncludePaths = new List<string>();
        public List<string> PublicDefinitions = new List<string>();

        public ModuleRules(ReadOnlyTargetRules target) { }
    }

    static class Rules
    {
        static void Main()
        {
            var rules = new GameNet(new ReadOnlyTargetRules());
            Console.WriteLine(rules.PCHUsage + " " + rules.FPSemantics + " " + string.Join(" ", rules.PublicIncludePaths) + " " +
                              string.Join(" ", rules.PublicDefinitions));
        }
    }
}
