# Stands in for nixpkgs, as far as the flake of pktc uses it: what it has is a derivation that nothing builds.
{
  outputs = { self }:
    let
      library = {
        genAttrs = names: make: builtins.listToAttrs (map (name: { inherit name; value = make name; }) names);
        licenses.mit = "MIT";
      };
      tool = system: name: derivation { inherit name system; builder = "/bin/sh"; };
      packages = system: {
        lib = library;
        stdenv.mkDerivation = attributes: derivation ((removeAttrs attributes [ "meta" ]) // {
          inherit system;
          name = "${attributes.pname}-${attributes.version}";
          builder = "/bin/sh";
        });
      } // library.genAttrs [ "re2c" "lemon" "jansson" "zlib" "zstd" ] (tool system);
    in
    {
      lib = library;
      legacyPackages = library.genAttrs [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ] packages;
    };
}
