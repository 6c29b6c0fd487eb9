import { EVIDENCE_LIMITS } from '#core/contract/market/return-evidence.ts'
import { formatBytes } from '#web/format/bytes.ts'

export const WRONG_TYPE = 'Only recordings, pictures, videos and PDF files can be attached.'
export const TOO_LARGE = `A file may have at most ${formatBytes(EVIDENCE_LIMITS.bytes)}.`

/** Says why a file cannot be attached, before it is sent; the server judges its bytes. */
export function judgeFile({ size, type }: Pick<File, 'size' | 'type'>): string | undefined {
  if (size === 0) return 'The file is empty.'
  if (size > EVIDENCE_LIMITS.bytes) return TOO_LARGE
  // A browser does not know every type.
  return type === '' || /^(?:image|audio|video)\/|^application\/pdf$/.test(type) ? undefined : WRONG_TYPE
}
