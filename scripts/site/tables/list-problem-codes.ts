import { PROBLEM_CODES, type ProblemCode } from '#core/contract/problem.ts'
import { AppError } from '#core/errors.ts'
import { describeProblem } from '#server/http/errors/handle-errors.ts'
import { asCode, writeTable } from './write-table.ts'

/** The advice for callers; a new code must be explained here. */
const ADVICE: Readonly<Record<ProblemCode, string>> = {
  validation_failed: 'Correct the fields that `errors` names',
  malformed_body: 'Send JSON, or another format that the call accepts, in UTF-8',
  body_too_large: 'Send less at a time',
  unsupported_media_type: 'Set `Content-Type` to a type that the call accepts',
  unauthenticated: 'Send a token or a key',
  invalid_token: 'Sign in again, or refresh the session',
  invalid_api_key: 'Use a current key of your source; this one is unknown or was revoked',
  invalid_signature: 'Sign with the current secret',
  forbidden: 'Ask an administrator',
  mfa_required: 'Sign in with the second factor first',
  not_found: 'Check the id: it does not exist, or it belongs to somebody else',
  method_not_allowed: 'Use a method that the header `Allow` names',
  conflict: 'Read `detail`, which names the reason, and the current state',
  version_conflict: 'Read it again, and send your change with the new `version`',
  idempotency_key_reused: 'Use a new key for each new request',
  unusable_endpoint: 'Change the endpoint; `errors` says why',
  too_many_webhooks: 'Delete a webhook first',
  too_many_orders: 'Delete an order first, or wait; `detail` says which',
  rate_limited: 'Wait as long as `Retry-After` says',
  unavailable: 'Send the same again after `Retry-After`, under the same `Idempotency-Key`',
  internal_error: 'Send it again later; the failure was logged',
}

/** Every code of the API's refusals, with its status. */
export function listProblemCodes(): string {
  const rows = PROBLEM_CODES.map((code) => {
    const { status, title } = describeProblem(new AppError(code, ''))
    return [asCode(code), String(status), title, ADVICE[code]]
  })
  return writeTable(['Code', 'Status', 'Title', 'What to do'], rows)
}
