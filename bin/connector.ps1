# The word `connector` in a clone, from any folder: $env:PATH = "$PWD\bin;$env:PATH"
$root = Split-Path -Parent $PSScriptRoot
$node = Join-Path $root "node_modules/.bin/node"
if (-not (Test-Path "$node*")) { Push-Location $root; npx --yes pnpm@12 install --frozen-lockfile; Pop-Location }
& $node (Join-Path $root "packages/cli/src/main.ts") @args
exit $LASTEXITCODE
