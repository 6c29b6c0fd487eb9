import type { JsonSchema, Operation, Parameter } from '#server/http/openapi/api-document.ts'
import type { TryCall } from '#web/site/try-call.ts'

/** POST calls that readers may try like a GET, with their effect: they change nothing that is stored. */
const HARMLESS: Readonly<Record<string, string | undefined>> = {
  'post /api/v1/webhook-configs/preview': undefined,
  'post /api/v1/orders/estimate': undefined,
  'post /functions/v1/test-webhook-endpoint':
    'This sends the fictional test lead to the endpoint, as Test Endpoint does. No lead of yours is sent.',
}

/**
 * The form for a call that only reads, or is harmless; undefined for all others, and for an answer that does
 * not end.
 */
export function describeTry(method: string, path: string, operation: Operation): TryCall | undefined {
  const name = `${method} ${path}`
  const answer = operation.responses['200']
  if (answer !== undefined && 'content' in answer && answer.content?.['text/event-stream'] !== undefined)
    return undefined
  if (method !== 'get' && !Object.hasOwn(HARMLESS, name)) return undefined
  const warning = HARMLESS[name]
  const body = operation.requestBody?.content['application/json']?.example
  return {
    method: method === 'get' ? 'GET' : 'POST',
    path,
    takesToken: operation.security.some((one) => 'accessToken' in one),
    parameters: operation.parameters.filter((one) => one.in !== 'header').map(describeParameter),
    ...(body === undefined ? {} : { body }),
    ...(warning === undefined ? {} : { warning }),
  }
}

function describeParameter({ name, in: place, required, description, schema, example }: Parameter) {
  const choices = listChoices(schema)
  return {
    name,
    in: place === 'path' ? ('path' as const) : ('query' as const),
    required,
    says: description.replaceAll('`', ''),
    ...(choices === undefined ? {} : { choices }),
    ...(example === undefined ? {} : { example: writeValue(example) }),
  }
}

function listChoices({ enum: values, const: only }: JsonSchema): string[] | undefined {
  if (only !== undefined) return [writeValue(only)]
  return values?.map(writeValue)
}

function writeValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
