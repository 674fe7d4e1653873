# The command in a container: the one file of `pnpm build`, Node, and nothing else.
#
#   docker build --tag fiscal-connector .
#   docker run --read-only --user 1000 --volume fiscal-store:/var/lib/fiscal-connector --volume ./config:/etc/fiscal-connector:ro fiscal-connector
FROM node:24-slim AS build
WORKDIR /build
COPY . .
RUN npx --yes pnpm@12 install --frozen-lockfile && npx --yes pnpm@12 exec node scripts/build.ts --command

FROM node:24-slim
COPY --from=build /build/packages/cli/dist/ /usr/local/lib/fiscal-connector/
RUN ln -s /usr/local/lib/fiscal-connector/start.mjs /usr/local/bin/connector \
  && mkdir --parents /var/lib/fiscal-connector /etc/fiscal-connector \
  && chown 1000:1000 /var/lib/fiscal-connector
# the user `node` of the image
USER 1000:1000
WORKDIR /var/lib/fiscal-connector
# store, reports and compiled code; the configuration with its key files is mounted for reading
VOLUME ["/var/lib/fiscal-connector", "/etc/fiscal-connector"]
ENV NODE_ENV=production \
  HOME=/var/lib/fiscal-connector \
  TMPDIR=/tmp \
  FISCAL_CONNECTOR_CONFIG=/etc/fiscal-connector/accounts.json
STOPSIGNAL SIGTERM
# the store can be opened, and nothing in it waits for an operator (exit code 3 does not stop a worker)
HEALTHCHECK --interval=60s --timeout=20s --start-period=30s --retries=3 CMD ["sh", "-c", "connector health > /dev/null; test $? -ne 1"]
ENTRYPOINT ["connector"]
CMD ["work"]
