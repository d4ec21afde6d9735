# Nix, from the top directory: nix build '.?dir=share/packaging/nix', and nix run '.?dir=share/packaging/nix' -- --version.
{
  description = "Compiler of packet schemas for games to C";

  inputs.nixpkgs.url = "nixpkgs";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
    in
    {
      packages = each (pkgs: {
        default = pkgs.stdenv.mkDerivation {
          pname = "pktc";
          version = "0.1.0";
          src = ../../..;
          nativeBuildInputs = [ pkgs.re2c pkgs.lemon ];
          buildInputs = [ pkgs.jansson pkgs.zlib pkgs.zstd ];
          makeFlags = [ "prefix=${placeholder "out"}" ];
          meta = {
            license = pkgs.lib.licenses.mit;
            mainProgram = "pktc";
          };
        };
      });
    };
}
