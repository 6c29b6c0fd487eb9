/**
 * The sections of the API reference, in their order, each with its paths. The first section that matches a
 * path gets it.
 */
export const TAGS: readonly { slug: string; name: string; description: string; paths: RegExp }[] = [
  {
    slug: 'posting-leads',
    name: 'Posting leads',
    description:
      'Sources post leads here, one or up to a thousand at a time. A posting specification tells a source how.',
    paths: /^\/api\/v1\/(leads(\/batch)?|posting-spec.*)$/,
  },
  {
    slug: 'revocations',
    name: 'Revocation of consent',
    description:
      'A person, client, source or administrator says that consent was taken back; holders acknowledge it.',
    paths: /^\/api\/v1\/((admin\/)?revocations|leads\/\{id\}\/revocation)/,
  },
  {
    slug: 'leads',
    name: 'Leads',
    description:
      'Your leads: lists, one lead with its timeline, dispositions, returns, and assigning a test lead.',
    paths: /^\/api\/v1\/(leads|outcomes|returns|evidence|rpc\/)/,
  },
  {
    slug: 'feed',
    name: 'Feed',
    description: 'Everything that happened to your leads, numbered without gaps, and its hash by day.',
    paths: /^\/api\/v1\/feed/,
  },
  {
    slug: 'webhooks',
    name: 'Webhooks',
    description: 'Your webhooks: settings, templates, signing secrets, presets, health and tests.',
    paths:
      /^\/api\/v1\/(webhook-(configs(\/(preview|limit|health|certifications|\{id\}(\/(secret.*|health|certification|switch-on))?))?|presets))$|^\/functions\/v1\/(test-webhook-endpoint|webhook-delivery)$/,
  },
  {
    slug: 'delivery-logs',
    name: 'Delivery logs',
    description: 'Every attempt to deliver a lead, and calls to send again or cancel deliveries.',
    paths: /^\/api\/v1\/(delivery-logs|webhook-configs|webhook-replays)/,
  },
  {
    slug: 'trust',
    name: 'What receivers can check',
    description:
      'Keys, addresses, limits and version of this installation, for programs and without a sign-in.',
    paths: /^\/\.well-known\//,
  },
  {
    slug: 'orders',
    name: 'Orders',
    description: 'Your orders, and the reasons why leads come or do not come.',
    paths: /^\/api\/v1\/(orders|lead-types)/,
  },
  {
    slug: 'team',
    name: 'People of an account',
    description: 'The people of your account: their roles, invitations, removal and the hand-over.',
    paths: /^\/api\/v1\/account\/members/,
  },
  {
    slug: 'money',
    name: 'Money',
    description: 'Your balance, ledger and payments.',
    paths: /^\/api\/v1\/(balance|ledger|payment|statement|account)/,
  },
  {
    slug: 'exports',
    name: 'Exports',
    description:
      'CSV files of long lists, which are made in the background: asked for, followed, downloaded.',
    paths: /^\/api\/v1\/exports/,
  },
  {
    slug: 'reports',
    name: 'Reports',
    description: 'Figures about your leads of today and of a period, and the setup steps of a new client.',
    paths: /^\/api\/v1\/(dashboard|setup|analytics)/,
  },
  {
    slug: 'accounts',
    name: 'Accounts',
    description:
      'Your account and its sessions, the stream of changes, and the functions of the sign-in screens.',
    paths: /^\/api\/v1\/(me|changes|unsubscribe)|^\/functions\/v1\//,
  },
  {
    slug: 'admin-clients',
    name: 'Administration: clients and prices',
    description: 'For administrators: clients, lead types, prices, orders, and the suppression list.',
    paths: /^\/api\/v1\/admin\/(clients|lead-types|lead-prices|orders|suppressions)/,
  },
  {
    slug: 'admin-leads',
    name: 'Administration: leads and persons',
    description:
      'For administrators: the leads of all clients, one lead with all that happened to it, moving and recalling leads, and what is stored about a person.',
    paths: /^\/api\/v1\/admin\/(leads|delivery-logs|lead-recalls|data-subjects)/,
  },
  {
    slug: 'admin-sources',
    name: 'Administration: sources and imports',
    description: 'For administrators: sources and their keys, posting specifications, and files of leads.',
    paths: /^\/api\/v1\/admin\/(sources|source-keys|imports)/,
  },
  {
    slug: 'admin-money',
    name: 'Administration: money',
    description: 'For administrators: payments, adjustments of balances, and what was earned.',
    paths: /^\/api\/v1\/admin\/(payments|payment-differences|pending-adjustments|late-leads|money)/,
  },
  {
    slug: 'admin-people',
    name: 'Administration: people and audit',
    description:
      'For administrators: roles, second factors and sessions of people, security events, and the audit log.',
    paths: /^\/api\/v1\/admin\/(people|audit|security-events|service-keys)/,
  },
  {
    slug: 'admin-operations',
    name: 'Administration: operations',
    description: 'For administrators: returns, dead letters, and waiting deliveries.',
    paths: /^\/api\/v1\/admin\//,
  },
  {
    slug: 'status',
    name: 'Status',
    description: 'How the service’s promise was kept, and incidents: for everybody.',
    paths: /^\/api\/v1\/status$/,
  },
  {
    slug: 'description',
    name: 'Description',
    description: 'The OpenAPI document of this API.',
    paths: /^\/api\/v1\/openapi\.json$/,
  },
]

/** @param path in the form of OpenAPI, `/leads/{id}` */
export function findTag(path: string, method: string): (typeof TAGS)[number] {
  // The same path takes leads by POST and lists them by GET.
  const isList = path === '/api/v1/leads' && method === 'get'
  const found = TAGS.find(({ slug, paths }) => paths.test(path) && !(isList && slug === 'posting-leads'))
  if (found === undefined) throw new Error(`No room of the reference takes ${path}`)
  return found
}
