import path from 'node:path'
import { z } from 'zod'
import { address, flag, textOf, wholeNumber } from './value-kinds.ts'

const MIB = 1024 * 1024

/** The words of a command, run without a shell. The path of the file is added as the last word. */
const command = z.string().transform((value, ctx) => {
  const parsed = z.array(z.string().min(1)).min(1).safeParse(readJson(value))
  if (parsed.success) return parsed.data
  ctx.addIssue({
    code: 'custom',
    message: 'must be a JSON array of words, like ["clamdscan","--no-summary"]',
  })
  return z.NEVER
})

/** Variables of stored files; docs/operations/files.md explains them. */
export const fileVariables = {
  FILES_S3_ENDPOINT: address.optional(),
  FILES_S3_BUCKET: z
    .string()
    .regex(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/, 'must be the name of a bucket: 3 to 63 of a-z, 0-9, . and -')
    .optional(),
  FILES_S3_REGION: textOf(1).default('us-east-1'),
  FILES_S3_KEY_ID: textOf(1).optional(),
  FILES_S3_SECRET: textOf(8).optional(),
  FILES_S3_PATH_STYLE: flag(true),
  FILES_RESERVE_MB: wholeNumber(0, 10_000_000).default(1024),
  FILES_SCAN_COMMAND: command.optional(),
  FILES_SCAN_SECONDS: wholeNumber(1, 600).default(60),
}

type FileEnvironment = z.infer<z.ZodObject<typeof fileVariables>>

/** An S3-compatible service and the bucket in which the bytes of files are kept. */
export interface S3Settings {
  endpoint: string
  bucket: string
  region: string
  keyId: string
  secret: string
  /** whether the bucket is the first folder of the path; otherwise it is the first label of the host's name */
  pathStyle: boolean
}

export function groupFiles(env: FileEnvironment, dataDir: string) {
  return {
    /** The folder for bytes of files, and for unfinished uploads. */
    folder: path.join(dataDir, 'files'),
    /** Undefined: bytes are kept in the folder. */
    s3: readS3(env),
    /** Bytes that must stay free on the disk; an upload that would leave less is refused. */
    reserveBytes: env.FILES_RESERVE_MB * MIB,
    /** Undefined: uploads are not scanned. */
    scan:
      env.FILES_SCAN_COMMAND === undefined
        ? undefined
        : { command: env.FILES_SCAN_COMMAND, timeoutMs: env.FILES_SCAN_SECONDS * 1000 },
  }
}

function readS3(env: FileEnvironment): S3Settings | undefined {
  const { FILES_S3_ENDPOINT: endpoint, FILES_S3_BUCKET: bucket } = env
  const { FILES_S3_KEY_ID: keyId, FILES_S3_SECRET: secret } = env
  if (endpoint === undefined || bucket === undefined || keyId === undefined || secret === undefined)
    return undefined
  const settings = { region: env.FILES_S3_REGION, pathStyle: env.FILES_S3_PATH_STYLE }
  return { endpoint: endpoint.replace(/\/+$/, ''), bucket, keyId, secret, ...settings }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
