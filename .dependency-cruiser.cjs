/**
 * The import rules (ARCHITECTURE.md): each keeps one direction. Read by swc, because TypeScript 7 has no
 * JavaScript API that dependency-cruiser could use (docs/decisions/0004-typescript-7-with-oxlint.md).
 */
const npm = (...names) => `^node_modules/(${names.join('|')})/`
const typeOnly = ['type-only']
const nodeBuiltin = ['core']

const forbid = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to })

const AREAS_OF_THE_WEB = 'accounts|leads|imports|market|webhooks|operations'

const everywhere = [
  forbid('no-cycles', 'A cycle has no first file to read.', {}, { circular: true }),
  forbid('resolves', 'The import leads nowhere.', {}, { couldNotResolve: true }),
  forbid(
    'declared',
    'A package must stand in package.json itself, not come along with another.',
    {},
    { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  ),
  forbid(
    'no-dev-packages-at-run-time',
    'A development package is absent where only production packages are installed. The web app is built before.',
    {
      path: '^(core|server|worker|migrations)/|^scripts/(migrate|migrate-database|make-service-key|grant-admin|leadwire)[.]ts$|^scripts/leadwire/',
    },
    { dependencyTypes: ['npm-dev'], dependencyTypesNot: typeOnly },
  ),
  forbid(
    'nothing-imports-tests',
    'Tests know the product, never the reverse.',
    { pathNot: '^tests/|^[^/]+[.]config[.]ts$' },
    { path: '^tests/' },
  ),
  forbid(
    'only-tests-import-scripts',
    'A script is a way in, not a library.',
    { pathNot: '^(tests|scripts)/' },
    { path: '^scripts/' },
  ),
  forbid(
    'the-lab-knows-nobody-who-uses-it',
    'It starts, receives and breaks for tests, benchmark and chaos alike; what one of them alone wants is an option.',
    { path: '^scripts/(lab|services)/' },
    { path: '^scripts/(bench|chaos|start|test|sample-crm)/' },
  ),
  forbid(
    'no-orphans',
    'Nothing imports it and it is no way in: delete it.',
    {
      orphan: true,
      pathNot: [
        '^(scripts|migrations|tests)/',
        '^(server|worker)/main[.]ts$',
        '^web/main[.]tsx$',
        // scripts/app-build/bring-parts.ts puts it in the place of Vite's own.
        '^web/app/bring-part[.]ts$',
        '^web/public/',
        '^web/site/(client/|render-site[.]tsx$)',
        '[.]config[.]ts$',
        '[.]d[.]ts$',
      ],
    },
    {},
  ),
]

const insideCore = [
  forbid(
    'core-stands-alone',
    'Core is shared, so it knows no process.',
    { path: '^core/' },
    { path: '^(server|worker|web|migrations|scripts|tests)/' },
  ),
  forbid(
    'contract-knows-only-zod',
    'Schemas and their types, no I/O.',
    { path: '^core/contract/' },
    { pathNot: ['^core/contract/', npm('zod')] },
  ),
  forbid(
    'domain-is-pure',
    'Time, randomness and environment are arguments. libphonenumber-js and entities are themselves pure.',
    { path: '^core/domain/' },
    { pathNot: ['^core/(domain|contract)/', npm('libphonenumber-js', 'entities')] },
  ),
  forbid(
    'domain-takes-types-from-the-contract',
    'The domain decides about what a schema has already parsed. The table of lead fields is no schema: names, kinds and limits.',
    { path: '^core/domain/' },
    {
      path: '^core/contract/',
      pathNot: '^core/contract/(leads/lead-fields|rows/row-tables)[.]ts$',
      dependencyTypesNot: typeOnly,
    },
  ),
  forbid(
    'data-knows-only-the-database',
    'Rows and SQL.',
    { path: '^core/data/' },
    {
      pathNot: [
        '^core/(data|contract|domain)/',
        '^core/(errors|read-stored)[.]ts$',
        npm('kysely', 'pg', '@types/pg'),
      ],
    },
  ),
  forbid(
    'data-takes-types-from-the-domain',
    'A row may have the shape that a decision asks for; deciding is left to the caller.',
    { path: '^core/data/' },
    { path: '^core/domain/', dependencyTypesNot: typeOnly },
  ),
  forbid(
    'queue-carries-events',
    'Queue names, job schemas, and how a committed event is enqueued and marked as such.',
    { path: '^core/queue/' },
    {
      pathNot: [
        '^core/(queue|contract|data|config|telemetry|fairness)/',
        '^core/[^/]+[.]ts$',
        npm('bullmq', 'ioredis', 'zod'),
      ],
    },
  ),
  forbid(
    'endpoint-is-one-path',
    'Render, sign, guard, send: the same code for the worker and for Test Endpoint, with no database or queue.',
    { path: '^core/endpoint/' },
    {
      pathNot: [
        '^core/(endpoint|domain|contract|concurrency)/',
        '^core/(errors|endpoint-process)[.]ts$',
        npm('undici', 'zod', 'ipaddr[.]js', 'lru-cache'),
      ],
      dependencyTypesNot: nodeBuiltin,
    },
  ),
  forbid(
    'waiting-knows-no-one',
    'Who waits behind whom is decided by numbers and clocks alone: no database, no queue, no HTTP.',
    {
      path: '^(core/(fairness|concurrency)|server/admission)/|^worker/dispatch/(limit-low-priority|heavy-payloads|slot-share|waiting-clients)[.]ts$',
    },
    {
      pathNot: [
        '^(core/(fairness|concurrency)|server/admission|worker/dispatch)/',
        '^core/errors[.]ts$',
        npm('lru-cache'),
      ],
      dependencyTypesNot: nodeBuiltin,
    },
  ),
  forbid(
    'mail-only-writes-and-sends',
    'Templates, their layout and the way out; what is due is read in core/data.',
    { path: '^core/mail/' },
    {
      pathNot: [
        '^core/(mail|contract)/',
        '^core/write-file-atomically',
        '^core/load-once',
        npm('nodemailer', 'zod'),
      ],
      dependencyTypesNot: nodeBuiltin,
    },
  ),
]

const betweenProcesses = [
  forbid(
    'server-knows-core',
    'Server and worker meet only in PostgreSQL and Redis.',
    { path: '^server/' },
    { path: '^(worker|web|migrations)/' },
  ),
  forbid(
    'worker-knows-core',
    'Server and worker meet only in PostgreSQL and Redis.',
    { path: '^worker/' },
    { path: '^(server|web|migrations)/' },
  ),
  forbid(
    'web-knows-contract-and-domain',
    'The browser sees the seams and the pure decisions, nothing else.',
    { path: '^web/' },
    { path: '^(core/(?!contract/|domain/)|server/|worker/|migrations/)' },
  ),
  forbid(
    'no-node-in-the-browser',
    'Its modules are not there.',
    { path: '^web/', pathNot: '[.]config[.]ts$' },
    { dependencyTypes: nodeBuiltin },
  ),
  forbid(
    'ui-knows-neither-router-nor-api',
    'web/ui is the look alone; web/components knows the product.',
    { path: '^web/ui/' },
    { path: ['^web/(?!ui/)', '^core/', npm('react-router(-dom)?', '@tanstack/[^/]+', '@supabase/[^/]+')] },
  ),
  forbid(
    'web-parts-do-not-know-areas',
    'Areas are made of parts, never the reverse; the shell shows areas only by the routes.',
    { path: '^web/(api|session|components|hooks|format)/' },
    { path: `^web/(${AREAS_OF_THE_WEB})/|^web/(main|routes)[.]tsx$` },
  ),
  forbid(
    'areas-of-the-web-keep-to-themselves',
    'What two areas show is a part of web/components; one area reads what another keeps by its queries alone.',
    { path: `^web/(${AREAS_OF_THE_WEB})/` },
    {
      path: `^web/(${AREAS_OF_THE_WEB})/`,
      pathNot: ['^web/$1/', '^web/[^/]+/([^/]+-queries[.]ts$|queries/)'],
    },
  ),
  forbid(
    'administration-shows-pages',
    'The administration opens a page or panel of each area and knows nothing else of it.',
    { path: '^web/app/admin/' },
    {
      path: `^web/(${AREAS_OF_THE_WEB})/`,
      pathNot: ['^web/operations/[^/]+[.]tsx$', '^web/.*(Page|Panel)[.]tsx$', '-queries[.]ts$'],
    },
  ),
  forbid(
    'public-pages-are-light',
    'They are HTML made at build: no router, no queries, no session; and what runs in the browser is no React.',
    { path: '^web/site/' },
    {
      path: [
        `^web/(api|components|hooks|${AREAS_OF_THE_WEB})/`,
        npm('react-router(-dom)?', '@tanstack/[^/]+', '@supabase/[^/]+', '@base-ui/[^/]+'),
      ],
    },
  ),
  forbid(
    'islands-are-no-react',
    'React alone weighs more than all else of a public page.',
    { path: '^web/site/client/' },
    { path: npm('react', 'react-dom') },
  ),
  forbid(
    'migrations-know-only-kysely',
    'A migration must mean the same for ever, so it leans on nothing that changes; an earlier migration does not.',
    { path: '^migrations/' },
    { pathNot: ['^migrations/', npm('kysely')] },
  ),
]

const withinTheServer = [
  forbid(
    'routes-never-import-routes',
    'A route parses, calls one use case and answers. What two of them share is a use case.',
    { path: '^server/.*-routes[.]ts$', pathNot: '^server/api-routes[.]ts$|^server/http/' },
    { path: '-routes[.]ts$' },
  ),
  forbid(
    'stories-do-not-know-routes',
    'A use case is called by any API.',
    { path: '^server/', pathNot: '-(routes|router)[.]ts$|^server/(app|accounts/accounts)[.]ts$' },
    { path: '-routes[.]ts$', pathNot: '^server/http/' },
  ),
  forbid(
    'accounts-have-a-door',
    'The server opens and mounts accounts by two files; who somebody is, is asked of server/identity. What anybody changes is noted in one log.',
    { path: '^server/(?!accounts/)' },
    { path: '^server/accounts/(?!((open-)?accounts|audit/audit-log)[.]ts$)' },
  ),
  forbid(
    'realtime-has-a-door',
    'The server opens, mounts and ends sockets; only a socket knows frames, channels and changed rows.',
    { path: '^server/(?!realtime/)' },
    {
      path: '^server/realtime/(?!((open-realtime|accept-sockets|refuse-plain-requests)[.]ts|feed/open-feed[.]ts)$)',
    },
  ),
  forbid(
    'identity-leans-on-no-room',
    'The caller is known before any use case begins.',
    { path: '^server/identity/' },
    { path: '^server/(?!identity/|http/route[.]ts$)' },
  ),
]

const packages = [
  forbid(
    'undici-only-on-the-delivery-path',
    'Every other outgoing call uses got (docs/decisions/0002-undici-on-the-delivery-path.md).',
    { pathNot: '^(core/endpoint|scripts|tests)/' },
    { path: npm('undici') },
  ),
  forbid(
    'got-asks-configured-services',
    'One place keeps its time and size; what a client names goes by core/endpoint (docs/decisions/0023-one-guard-for-what-clients-name.md).',
    { pathNot: '^core/http/ask-service[.]ts$|^(scripts|tests)/' },
    { path: npm('got') },
  ),
  forbid(
    'redis-only-behind-the-queue',
    'Stories are handed their queues by the context; a type does no harm.',
    { pathNot: '^(core/queue|worker|scripts|tests)/' },
    { path: npm('bullmq', 'ioredis'), dependencyTypesNot: typeOnly },
  ),
  forbid(
    'sql-only-behind-data',
    'Within core, rows are read and written in core/data.',
    { path: '^(core/(?!data/)|web/)' },
    { path: npm('kysely', 'pg'), dependencyTypesNot: typeOnly },
  ),
  forbid(
    'nodemailer-only-in-mail',
    'Whoever has something to tell puts it in the outbox.',
    { pathNot: '^core/mail/' },
    { path: npm('nodemailer') },
  ),
  forbid(
    'http-framework-only-in-the-server',
    'Express ends at the server.',
    { pathNot: '^(server|scripts|tests)/' },
    { path: npm('express', 'helmet', 'compression') },
  ),
]

module.exports = {
  forbidden: [...everywhere, ...insideCore, ...betweenProcesses, ...withinTheServer, ...packages],
  options: {
    parser: 'swc',
    doNotFollow: { path: '(^|/)node_modules/' },
    exclude: { path: '^(web/)?dist/' },
    detectProcessBuiltinModuleCalls: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      mainFields: ['module', 'main', 'types'],
    },
  },
}
