import { readFileSync } from 'node:fs'

type Given = Readonly<Record<string, string | undefined>>

/** Variables whose values are secrets, or hold one. Each may be read from a file that `<NAME>_FILE` names. */
export const SECRET_VARIABLES = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URL',
  'REDIS_URL',
  'REDIS_SENTINEL_PASSWORD',
  'SEED_ADMIN_PASSWORD',
  'SEED_CLIENT_PASSWORD',
  'JWT_PRIVATE_JWK',
  'SECRETS_KEY',
  'SMTP_URL',
  'FILES_S3_KEY_ID',
  'FILES_S3_SECRET',
  'PAYMENTS_SECRET_KEY',
  'PAYMENTS_WEBHOOK_SECRET',
  'AUTH_SIGNING_KEYS',
  'AUTH_PROVIDERS',
  'AUTH_CAPTCHA_SECRET',
  'AUTH_SMS_TOKEN',
  'METRICS_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const

/**
 * Replaces each `<NAME>_FILE` with the content of the file, without the line end that editors and `echo` add, so that
 * every reader finds the value at the variable itself. Orchestrators mount secrets as files.
 * @param environment without unset variables
 * @returns the environment, one fault for each file that cannot be used, and the variables that lack a value for it; a
 * fault never quotes the content
 */
export function readSecretFiles(environment: Given): {
  given: Record<string, string>
  faults: string[]
  unread: string[]
} {
  const given = Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  const faults: string[] = []
  const unread: string[] = []
  for (const name of SECRET_VARIABLES) {
    const file = given[`${name}_FILE`]
    if (file === undefined) continue
    delete given[`${name}_FILE`]
    if (given[name] !== undefined) faults.push(`${name}_FILE: is set beside ${name}; set only one of them`)
    else {
      const content = readContent(file)
      if ('text' in content) given[name] = content.text
      else {
        faults.push(`${name}_FILE: ${content.fault}`)
        unread.push(name)
      }
    }
  }
  return { given, faults, unread }
}

function readContent(file: string): { text: string } | { fault: string } {
  try {
    const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    return text.trim() === '' ? { fault: `the file ${file} is empty` } : { text }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code'
    return { fault: `the file ${file} cannot be read (${code})` }
  }
}
