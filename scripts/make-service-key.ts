import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { ConfigError, loadConfig } from '#core/config/config.ts'
import { issuerOf } from '#server/identity/access-token.ts'
import { signServiceToken } from '#server/identity/sign-service-token.ts'
import { loadSigningKeys } from '#server/identity/signing-keys.ts'

/** Prints a key for programs that administer accounts; only the key is written to standard output. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { days: { type: 'string', default: '365' } } })
  const days = Number(values.days)
  if (!Number.isInteger(days) || days < 1 || days > 3650) {
    process.stderr.write('--days: must be a whole number from 1 to 3650\n')
    process.exit(1)
  }
  // Signing needs neither service, so that the key can be made while neither runs.
  const standIns = { DATABASE_URL: 'postgres://not-asked', REDIS_URL: 'redis://not-asked', ...keptKey() }
  const config = loadConfig(process.env, { signs: true, standIns })
  const issuer = issuerOf({ config })
  const now = Math.floor(Date.now() / 1000)
  const token = await signServiceToken(await loadSigningKeys(config), { issuer, days, now })
  const until = new Date((now + days * 86_400) * 1000).toISOString().slice(0, 10)
  process.stderr.write(
    `This key can create, change and delete every account, without a password or a second factor, until ${until}.
Keep it on servers only, never in a browser or a repository. It is not listed, so it cannot be revoked alone;
"npm run leadwire -- service-keys make" makes a key that can (docs/operations/keys.md).\n`,
  )
  process.stdout.write(`${token}\n`)
}

/** The key that `npm start` generated, for use if none is given. */
function keptKey(): Record<string, string> {
  const file = path.join(process.env['DATA_DIR'] ?? '.data', 'secrets.json')
  if (!existsSync(file)) return {}
  const { JWT_PRIVATE_JWK: key } = JSON.parse(readFileSync(file, 'utf8')) as { JWT_PRIVATE_JWK?: string }
  return key === undefined ? {} : { JWT_PRIVATE_JWK: key }
}

main().catch((error: unknown) => {
  if (!(error instanceof ConfigError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
