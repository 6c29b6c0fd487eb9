/** The members of a problem (RFC 9457) that are used, if the refusal's body is one. */
interface Problem {
  code?: unknown
  detail?: unknown
  errors?: unknown
}

/** Explains a refusal and what to do; null for a success. */
export function explainAnswer(status: number, text: string, retryAfter: string | null): string | null {
  if (status < 400) return null
  const { code, detail, errors } = readProblem(text)
  const faults = Array.isArray(errors) ? (errors as { path?: unknown; message?: unknown }[]) : []
  const own = typeof detail === 'string' ? detail : ''
  const parts = [
    describeStatus(status, code, retryAfter),
    own,
    ...faults.slice(0, 5).map(({ path, message }) => `${String(path)}: ${String(message)}.`),
  ]
  return parts.filter((part) => part !== '').join(' ')
}

function describeStatus(status: number, code: unknown, retryAfter: string | null): string {
  if (code === 'mfa_required') return 'This session still owes a second factor.'
  switch (status) {
    case 401:
      return 'The token is missing, mistyped, or has expired: an access token is good for an hour.'
    case 403:
      return 'This account may not make this call.'
    case 404:
      return 'Nothing has this id, or it is not yours.'
    case 429:
      return `That was too often.${retryAfter === null ? '' : ` Wait ${retryAfter} s and send it again.`}`
    default:
      return status >= 500
        ? 'It could not be done for a reason of ours. It may be sent again.'
        : 'It was refused; nothing was done.'
  }
}

function readProblem(text: string): Problem {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** Formats JSON with one member per line; returns anything else as it is. */
export function layOutText(text: string, isCut: boolean): string {
  if (isCut) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
