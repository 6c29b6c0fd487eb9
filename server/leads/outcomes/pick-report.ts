const FIELDS = ['status', 'amount', 'note', 'outcome_url'] as const

/**
 * The fields of an outcome in a posted body. Fields in `customData` count first: there GoHighLevel is seen to put what its
 * user adds (by public receivers; its own pages do not say), beside a `status` of its own. All others are left out:
 * automations send whole contacts.
 */
export function pickReport(body: unknown): Record<string, unknown> {
  const given = readMembers(body)
  const added = readMembers(given['customData'])
  return Object.fromEntries(
    FIELDS.flatMap((name) => {
      const value = added[name] ?? given[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function readMembers(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}
