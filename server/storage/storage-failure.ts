import { AppError } from '#core/errors.ts'
import { FileStoreAway } from '#core/file-store/file-store.ts'
import { FileRefusal, type FileRefusalReason } from '#core/use-cases/files/file-refusal.ts'
import { recogniseError } from '../http/errors/recognise-error.ts'

/** The body of a refusal, as the storage part of the client library reads it. */
export interface StorageBody {
  /** the status that the wire means, as text; the answer's own status is 400 for nearly all */
  statusCode: string
  error: string
  message: string
  code: string
}

interface Kind {
  statusCode: string
  error: string
  code: string
  /** the status of the answer, if it is not 400 */
  status?: number
}

const KINDS = {
  no_bucket: { statusCode: '404', error: 'Bucket not found', code: 'NoSuchBucket' },
  no_file: { statusCode: '404', error: 'not_found', code: 'NoSuchKey' },
  bad_name: { statusCode: '400', error: 'InvalidKey', code: 'InvalidKey' },
  too_large: { statusCode: '413', error: 'Payload too large', code: 'EntityTooLarge' },
  bad_type: { statusCode: '415', error: 'invalid_mime_type', code: 'InvalidMimeType' },
  name_taken: { statusCode: '409', error: 'Duplicate', code: 'KeyAlreadyExists' },
  bucket_taken: { statusCode: '409', error: 'Duplicate', code: 'ResourceAlreadyExists' },
  bad_bucket: { statusCode: '400', error: 'InvalidBucketName', code: 'InvalidBucketName' },
  bucket_in_use: { statusCode: '409', error: 'InvalidRequest', code: 'InvalidRequest' },
  not_allowed: { statusCode: '403', error: 'Unauthorized', code: 'AccessDenied' },
  bad_token: { statusCode: '403', error: 'Unauthorized', code: 'InvalidJWT' },
  bad_url_token: { statusCode: '400', error: 'InvalidJWT', code: 'InvalidJWT' },
  url_expired: { statusCode: '400', error: 'InvalidJWT', code: 'ExpiredToken' },
  infected: { statusCode: '422', error: 'Infected', code: 'InvalidRequest' },
  bad_request: { statusCode: '400', error: 'InvalidRequest', code: 'InvalidRequest' },
  no_such_call: { statusCode: '404', error: 'Not Found', code: 'NotFound' },
  not_offered: { statusCode: '409', error: 'FeatureNotEnabled', code: 'FeatureNotEnabled' },
  bad_range: { statusCode: '416', error: 'InvalidRange', code: 'InvalidRange', status: 416 },
  too_many: { statusCode: '429', error: 'SlowDown', code: 'SlowDown', status: 429 },
  unavailable: { statusCode: '503', error: 'SlowDown', code: 'SlowDown', status: 503 },
  failed: { statusCode: '500', error: 'Internal', code: 'InternalError', status: 500 },
} as const satisfies Record<string, Kind>
export type StorageFault = keyof typeof KINDS

/** Sentences that programs may compare. All others tell a person what to do. */
const WORDS: Partial<Record<FileRefusalReason, string>> = {
  no_bucket: 'Bucket not found',
  no_file: 'Object not found',
  too_large: 'The object exceeded the maximum allowed size',
  name_taken: 'The resource already exists',
}

/** A refusal of the storage wire. `message` is sent to the client: no personal data, no secrets. */
export class StorageFailure extends Error {
  override readonly name = 'StorageFailure'
  readonly fault: StorageFault
  readonly retryAfterSeconds: number | undefined

  constructor(
    fault: StorageFault,
    message: string,
    options: { retryAfterSeconds?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.fault = fault
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get status(): number {
    const kind: Kind = KINDS[this.fault]
    return kind.status ?? 400
  }

  get body(): StorageBody {
    const { statusCode, error, code } = KINDS[this.fault]
    return { statusCode, error, message: this.message, code }
  }
}

export function bucketNotFound(): StorageFailure {
  return new StorageFailure('no_bucket', 'Bucket not found')
}

/** Translates anything that was thrown into a failure of this wire. */
export function asStorageFailure(error: unknown): StorageFailure {
  if (error instanceof StorageFailure) return error
  if (error instanceof FileRefusal) return ofRefusal(error)
  if (error instanceof FileStoreAway)
    return new StorageFailure('unavailable', 'The server cannot reach its files at the moment.', {
      ...AGAIN,
      cause: error,
    })
  if (error instanceof AppError) return ofAppError(error)
  switch (recogniseError(error)) {
    case 'body_too_large':
      return new StorageFailure('too_large', 'The body is larger than this call accepts.')
    case 'too_many_bodies':
      return new StorageFailure('too_many', 'Too much of what you send is still on its way.', AGAIN)
    case 'unsupported_encoding':
    case 'unreadable_body':
      return new StorageFailure('bad_request', 'The body could not be read to its end.')
    case 'bad_path':
      return new StorageFailure('bad_name', 'Invalid key')
    case 'unstorable_text':
      return new StorageFailure('bad_request', 'The input contains characters that cannot be stored.')
    case 'database_away':
    case 'database_busy':
    case 'server_busy':
      return new StorageFailure('unavailable', 'The server is busy. Please try again.', {
        ...AGAIN,
        cause: error,
      })
    case 'unknown':
      return new StorageFailure('failed', 'The request failed for a reason of ours. It has been logged.', {
        cause: error,
      })
  }
}

const AGAIN = { retryAfterSeconds: 5 }

function ofRefusal({ reason, message, cause }: FileRefusal): StorageFailure {
  const said = WORDS[reason] ?? message
  switch (reason) {
    case 'store_full':
    case 'store_away':
    case 'not_scanned':
      return new StorageFailure('unavailable', said, { retryAfterSeconds: 60, cause })
    case 'sent':
      return new StorageFailure('not_allowed', said)
    case 'quota_reached':
      return new StorageFailure('too_large', said)
    default:
      return new StorageFailure(reason, said)
  }
}

function ofAppError(error: AppError): StorageFailure {
  const { message, retryAfterSeconds } = error
  switch (error.code) {
    case 'unauthenticated':
    case 'forbidden':
    case 'mfa_required':
      return new StorageFailure('not_allowed', message)
    case 'invalid_token':
      return new StorageFailure('bad_token', message)
    case 'rate_limited':
      return new StorageFailure('too_many', message, { retryAfterSeconds })
    case 'unavailable':
      return new StorageFailure('unavailable', message, { retryAfterSeconds, cause: error.cause ?? error })
    case 'internal_error':
      return new StorageFailure('failed', message, { cause: error.cause ?? error })
    default:
      return new StorageFailure('bad_request', message)
  }
}
