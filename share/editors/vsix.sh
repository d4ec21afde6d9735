#!/bin/sh
# vsix.sh - packs the extension for VS Code, with the client of the protocol, which npm fetches.
# SPDX-License-Identifier: MIT
#
# usage: vsix.sh VERSION SCRATCH FILE.vsix       from the top directory
set -eu
version=$1 scratch=$2 target=$3
here=share/editors
rm -rf "$scratch"
mkdir -p "$scratch/extension"
cp $here/vscode/* "$scratch/extension/"
cp LICENSE "$scratch/extension/LICENSE.txt"
sed -i "s/\"version\": \"0.0.0\"/\"version\": \"$version\"/" "$scratch/extension/package.json"
(cd "$scratch/extension" && npm install --omit=dev --no-audit --no-fund --no-package-lock --loglevel=error)
find "$scratch/extension/node_modules" \( -name '*.ts' -o -name '*.md' -o -name '*.map' \) -exec rm {} +
cat >"$scratch/[Content_Types].xml" <<'END'
<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="json" ContentType="application/json"/>
<Default Extension="js" ContentType="application/javascript"/>
<Default Extension="txt" ContentType="text/plain"/>
<Default Extension="vsixmanifest" ContentType="text/xml"/>
</Types>
END
cat >"$scratch/extension.vsixmanifest" <<END
<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata>
<Identity Language="en-US" Id="pkt" Version="$version" Publisher="pktc"/>
<DisplayName>pkt schemas</DisplayName>
<Description xml:space="preserve">Packet schemas of pktc.</Description>
<Categories>Programming Languages</Categories>
<Properties><Property Id="Microsoft.VisualStudio.Code.Engine" Value="^1.75.0"/></Properties>
</Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Dependencies/>
<Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets>
</PackageManifest>
END
target=$(cd "$(dirname "$target")" && pwd)/$(basename "$target")
rm -f "$target"
(cd "$scratch" && zip -qr "$target" '[Content_Types].xml' extension.vsixmanifest extension)
