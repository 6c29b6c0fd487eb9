import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { decodeJwt, exportJWK, generateKeyPair, jwtVerify } from 'jose'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const SCRIPT = fileURLToPath(new URL('../../../scripts/make-service-key.ts', import.meta.url))

const make = async (env: Record<string, string>, ...options: string[]) =>
  await run(process.execPath, [SCRIPT, ...options], { env: { ...env, DATA_DIR: '/nonexistent' } })

test('prints a key of the role service_role, signed by the configured key, and warns beside it', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const { stdout, stderr } = await make(
    { JWT_PRIVATE_JWK: JSON.stringify(await exportJWK(privateKey)), PUBLIC_URL: 'https://app.example.com' },
    '--days',
    '30',
  )
  const token = stdout.trim()
  const { payload } = await jwtVerify(token, publicKey)

  expect(payload).toMatchObject({ role: 'service_role', iss: 'https://app.example.com/auth/v1' })
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(30 * 86_400)
  expect(decodeJwt(token).sub).toBeUndefined()
  expect(stderr).toContain('Keep it on servers only')
  expect(stderr).not.toContain(token)
})

test('says what is missing', async () => {
  await expect(make({})).rejects.toMatchObject({
    stderr: expect.stringContaining('JWT_PRIVATE_JWK') as string,
  })
  await expect(make({}, '--days', '0')).rejects.toMatchObject({
    stderr: expect.stringContaining('--days') as string,
  })
})
