const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** @param value of a request or a token: a list of one id would pass for its text in the expression alone */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value)
}
