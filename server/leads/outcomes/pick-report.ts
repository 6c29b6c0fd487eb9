const FIELDS = ['status', 'amount', 'note', 'outcome_url'] as const

/**
 * The fields of an outcome in a posted body. GoHighLevel puts what its user adds into `customData`, beside a `status` of
 * its own, so fields there count first. All others are left out: automations send whole contacts.
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
