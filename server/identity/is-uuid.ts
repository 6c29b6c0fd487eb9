const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** @param value of a request or a token. Not only text: the expression alone would accept a list of one id */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value)
}
