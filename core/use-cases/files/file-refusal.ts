import type { ProblemCode } from '#core/contract/problem.ts'
import { AppError } from '#core/errors.ts'

/** Why a file is not stored, moved or shown. */
export type FileRefusalReason =
  | 'no_bucket'
  | 'no_file'
  | 'bad_name'
  | 'too_large'
  | 'bad_type'
  | 'name_taken'
  | 'sent'
  | 'quota_reached'
  | 'store_full'
  | 'store_away'
  | 'infected'
  | 'not_scanned'

const CODES: Record<FileRefusalReason, ProblemCode> = {
  no_bucket: 'not_found',
  no_file: 'not_found',
  bad_name: 'validation_failed',
  too_large: 'body_too_large',
  bad_type: 'unsupported_media_type',
  name_taken: 'conflict',
  sent: 'forbidden',
  quota_reached: 'body_too_large',
  store_full: 'unavailable',
  store_away: 'unavailable',
  infected: 'validation_failed',
  not_scanned: 'unavailable',
}

/** A refusal with its reason, which the storage wire words in its own way. */
export class FileRefusal extends AppError {
  readonly reason: FileRefusalReason

  /** @param detail for people; sent to the client */
  constructor(reason: FileRefusalReason, detail: string, cause?: unknown) {
    super(CODES[reason], detail, { cause })
    this.reason = reason
  }
}

export function noFile(): FileRefusal {
  return new FileRefusal('no_file', 'There is no such file.')
}

/** Evidence that was sent with a return stays as it is. */
export function sentWithReturn(): FileRefusal {
  return new FileRefusal(
    'sent',
    'This file was sent with a return, so it stays as it is. It can be copied to another name.',
  )
}
