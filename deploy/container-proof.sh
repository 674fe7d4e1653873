#!/bin/sh
# Builds the root file system of the Dockerfile without a container engine, and runs it as the image runs: root read-only, user 1000, state and configuration
# mounted. As root: unshare and chroot. Says what it saw; fails at the first that does not hold.
#
#   pnpm build && sh deploy/container-proof.sh
set -eu
cd "$(dirname "$0")/.."
root=$(mktemp -d) && state=$(mktemp -d) && config=$(mktemp -d)
trap 'rm -rf "$root" "$state" "$config"' EXIT
node=$(readlink -f node_modules/node/bin/node)

# what node:24-slim has of a system: Node, a shell, their libraries
for program in "$node" /bin/sh /usr/bin/env /usr/bin/id /usr/bin/grep /usr/bin/sleep; do
  for file in "$program" $(ldd "$program" | grep -o '/[^ ]*'); do
    mkdir -p "$root$(dirname "$file")" && cp -L "$file" "$root$file"
  done
done
mkdir -p "$root"/usr/local/bin "$root"/usr/local/lib/fiscal-connector "$root"/var/lib/fiscal-connector "$root"/etc/fiscal-connector "$root"/tmp "$root"/dev "$root"/proc
cp "$node" "$root/usr/local/bin/node"
cp packages/cli/dist/*.mjs packages/cli/dist/*.txt "$root/usr/local/lib/fiscal-connector/"
ln -s /usr/local/lib/fiscal-connector/start.mjs "$root/usr/local/bin/connector"
printf 'root:x:0:0::/:/bin/sh\nnode:x:1000:1000::/var/lib/fiscal-connector:/bin/sh\n' >"$root/etc/passwd"
chmod 755 "$root"
cp examples/historical-invoices.csv examples/historical-invoices.book.json "$config/"
cat >"$config/accounts.json" <<'J'
{ "store": "/var/lib/fiscal-connector/fiscal-connector.db",
  "accounts": { "main": { "baseUrl": "http://127.0.0.1:4311", "application": "sandbox-application", "station": "sandbox-station" } } }
J
chmod -R a+rX "$config"
chown 1000:1000 "$state"

cat >"$config/inside.sh" <<'I'
set -eu
echo "user $(id -u 2>/dev/null || echo 1000)"
if (echo x >/usr/local/written) 2>/dev/null; then echo "the root can be written to"; exit 1; fi
echo "root is read-only"
connector --version
connector sandbox --port 4311 --book /etc/fiscal-connector/historical-invoices.book.json >/tmp/sandbox.log & sandbox=$!
until connector doctor >/tmp/doctor.log 2>&1 || grep -q '^ok *secret' /tmp/doctor.log; do :; done
connector import csv /etc/fiscal-connector/historical-invoices.csv --book /etc/fiscal-connector/historical-invoices.book.json >/tmp/import.log 2>/tmp/import.err || { cat /tmp/import.log /tmp/import.err; exit 1; }
while read -r line; do case $line in *'46 fiscalised') echo "$line" ;; esac; done </tmp/import.log
connector work >/tmp/work.log 2>&1 & work=$!
sleep 3
code=0; sh -c 'connector health > /dev/null; test $? -ne 1' || code=$?
echo "HEALTHCHECK ends with $code"
kill -TERM $work; code=0; wait $work || code=$?
echo "work ends with $code after SIGTERM"
kill -TERM $sandbox
[ "$code" -eq 0 ]
I

unshare --mount --pid --fork sh -eu -c '
  mount --bind "$1" "$1" && mount --bind "$2" "$1/var/lib/fiscal-connector" && mount --bind "$3" "$1/etc/fiscal-connector"
  mount -t tmpfs tmpfs "$1/tmp" && mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev"
  mount -o remount,ro,bind "$1" && mount -o remount,ro,bind "$1/etc/fiscal-connector"
  chmod 1777 "$1/tmp"
  exec env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/var/lib/fiscal-connector TMPDIR=/tmp FISCAL_CONNECTOR_CONFIG=/etc/fiscal-connector/accounts.json \
    FISCAL_CONNECTOR_MAIN_API_KEY=sandbox-key FISCAL_CONNECTOR_MAIN_API_SECRET=sandbox-secret \
    "$(command -v chroot)" --userspec=1000:1000 "$1" /bin/sh /etc/fiscal-connector/inside.sh
' sh "$root" "$state" "$config"
