/**
 * A refusal in the form that PostgREST gives it: clients branch on `code`. `message` and `details` never hold personal
 * data beyond what the request itself contained.
 */
export class RestError extends Error {
  override readonly name = 'RestError'
  readonly status: number
  readonly code: string
  readonly details: string | null
  readonly hint: string | null
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: string,
    message: string,
    {
      details = null,
      hint = null,
      headers = {},
    }: { details?: string | null; hint?: string | null; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
    this.hint = hint
    this.headers = headers
  }
}

/** The length up to which a refusal repeats a text of the request. */
const LONGEST_QUOTE = 200

/** A text of the request as a refusal repeats it. */
export function quote(text: string): string {
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text
}

/** The text of one part of the query cannot be parsed. @param at offset of the fault */
export function unparsable(what: string, text: string, at: number, details: string): RestError {
  const message = `"failed to parse ${what} (${quote(text)})" (line 1, column ${at + 1})`
  return new RestError(400, 'PGRST100', message, { details })
}

/** Something that PostgREST can and this server cannot. @param what begins the sentence */
export function unsupported(what: string): RestError {
  return new RestError(400, '0A000', `${what} not supported here.`, {
    hint: 'The documentation page “Use the client library” lists what is.',
  })
}

export function noSuchTable(name: string): RestError {
  return new RestError(
    404,
    'PGRST205',
    `Could not find the table 'public.${quote(name)}' in the schema cache`,
  )
}

/** A column in a filter, an order or a select list. */
export function noSuchColumn(table: string, name: string): RestError {
  return new RestError(400, '42703', `column ${table}.${quote(name)} does not exist`)
}

/** A column in a body or in `columns`. */
export function noSuchBodyColumn(table: string, name: string): RestError {
  const message = `Could not find the '${quote(name)}' column of '${table}' in the schema cache`
  return new RestError(400, 'PGRST204', message)
}

export function notOneRow(found: number): RestError {
  return new RestError(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
    details: `The result contains ${found} rows`,
  })
}

/** @param status 401 if nobody is signed in */
export function notPermitted(
  message: string,
  { hint = null, status = 403 }: { hint?: string | null; status?: 401 | 403 } = {},
): RestError {
  return new RestError(status, '42501', message, { hint })
}

/** A column of the system that a write sets to null. Details are left out: they would quote the whole row. */
export function notNull(table: string, column: string): RestError {
  const message = `null value in column "${column}" of relation "${table}" violates not-null constraint`
  return new RestError(400, '23502', message)
}
