/** The rooms of the API reference, in its order: which paths belong there, and what they are for. The first that fits counts. */
export const TAGS: readonly { slug: string; name: string; description: string; paths: RegExp }[] = [
  {
    slug: 'posting-leads',
    name: 'Posting leads',
    description: 'How a source brings leads in, one or a thousand at a time, and the page that tells it how.',
    paths: /^\/api\/v1\/(leads(\/batch)?|posting-spec.*)$/,
  },
  {
    slug: 'leads',
    name: 'Leads',
    description:
      'The caller’s leads: lists, one lead with its timeline, dispositions, returns and assigning a test lead.',
    paths: /^\/api\/v1\/(leads|returns|rpc\/)/,
  },
  {
    slug: 'webhooks',
    name: 'Webhooks',
    description:
      'Where leads are sent: configurations, templates, signing secrets, presets, health and tests.',
    paths:
      /^\/api\/v1\/(webhook-(configs(\/(preview|limit|health|\{id\}(\/(secret.*|health|switch-on))?))?|presets))$|^\/functions\/v1\/(test-webhook-endpoint|webhook-delivery)$/,
  },
  {
    slug: 'delivery-logs',
    name: 'Delivery logs',
    description: 'Every attempt to deliver a lead; sending again, and stopping what waits.',
    paths: /^\/api\/v1\/(delivery-logs|webhook-configs|webhook-replays)/,
  },
  {
    slug: 'orders',
    name: 'Orders',
    description: 'What the caller buys, and why leads come or do not.',
    paths: /^\/api\/v1\/(orders|lead-types)/,
  },
  {
    slug: 'money',
    name: 'Money',
    description: 'The caller’s balance, ledger and payments.',
    paths: /^\/api\/v1\/(balance|ledger|payment|account)/,
  },
  {
    slug: 'reports',
    name: 'Reports',
    description:
      'Leads of today and of a period: how many, at what price, and what became of them; what a new client has still to do.',
    paths: /^\/api\/v1\/(dashboard|setup|analytics)/,
  },
  {
    slug: 'accounts',
    name: 'Accounts',
    description:
      'Who is signed in and where, and what is told to their screens; the functions that the sign-in screens call.',
    paths: /^\/api\/v1\/(me|changes)|^\/functions\/v1\//,
  },
  {
    slug: 'admin-clients',
    name: 'Administration: clients and prices',
    description: 'For administrators: clients, lead types, prices, orders, and who is never sold.',
    paths: /^\/api\/v1\/admin\/(clients|lead-types|lead-prices|orders|suppressions)/,
  },
  {
    slug: 'admin-sources',
    name: 'Administration: sources and imports',
    description: 'For administrators: sources and their keys, posting specifications, and files of leads.',
    paths: /^\/api\/v1\/admin\/(sources|source-keys|imports)/,
  },
  {
    slug: 'admin-operations',
    name: 'Administration: operations',
    description:
      'For administrators: payments, returns, what finally failed, who waits and why, and the audit log.',
    paths: /^\/api\/v1\/admin\//,
  },
  {
    slug: 'description',
    name: 'Description',
    description: 'The API described by itself.',
    paths: /^\/api\/v1\/openapi\.json$/,
  },
]

/** @param path in the form of OpenAPI, `/leads/{id}` */
export function findTag(path: string, method: string): (typeof TAGS)[number] {
  // One path takes leads, and lists them.
  const isList = path === '/api/v1/leads' && method === 'get'
  const found = TAGS.find(({ slug, paths }) => paths.test(path) && !(isList && slug === 'posting-leads'))
  if (found === undefined) throw new Error(`No room of the reference takes ${path}`)
  return found
}
