# Folio in one image: API, worker and every command. docs/operations.md says how it is run, ADR 70 why it is so.
# The Node is the one that package-lock.json has for development; a test compares them.
FROM node:24.22.3-trixie-slim AS build
WORKDIR /app
# What npm reads comes first: a change of the sources alone installs nothing anew.
COPY package.json package-lock.json .npmrc ./
COPY packages packages
COPY scripts scripts
# Development packages build the dashboard. With NODE_ENV=production npm would leave them out.
RUN npm ci --include=dev
COPY . .
# The build of the dashboard never fails an install. An image without it is no image.
RUN node scripts/build-web.cjs && test -s web/dist/stamp.txt
# The base image has Node already.
RUN npm prune --omit=dev && rm -rf node_modules/node-linux-* node_modules/.bin/node

FROM node:24.22.3-trixie-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    FOLIO_DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/packages packages
COPY --from=build /app/scripts/preflight.cjs scripts/
COPY --from=build /app/docs docs
COPY --from=build /app/migrations migrations
COPY --from=build /app/src src
COPY --from=build /app/web/dist web/dist
# Compiled once, here: a start takes half of the time, a command a third. Node looks for what its own user has compiled, so the
# user who will run compiles. Then nobody may change it.
RUN install -d -o 1000 node_modules/.cache/folio && \
    setpriv --reuid=1000 --regid=1000 --clear-groups node src/main/folio.cjs --version && \
    setpriv --reuid=1000 --regid=1000 --clear-groups \
        node --require ./src/main/quick-loading.cjs --eval "['main/serve', 'main/surfaces', 'integrations/webhooks/connections'] \
            .forEach((name) => import('./src/' + name + '.ts'))" && \
    chown -R root:root node_modules/.cache && chmod -R a+rX node_modules/.cache
RUN ln -s /app/src/main/folio.cjs /usr/local/bin/folio && install -d -m 700 -o 1000 -g 1000 /data
# The user node of the base image. Nothing but /data and /tmp is written to.
USER 1000:1000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# A first start makes a database, and one after an upgrade may migrate for long: neither is ill meanwhile.
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["folio"]
CMD ["serve"]
