import { decodeJwt, exportJWK, generateKeyPair, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { runScript } from '#scripts/lab/run-script.ts'

const make = (env: Record<string, string>, ...args: string[]) =>
  runScript({ script: 'scripts/make-service-key.ts', args, env: { ...env, DATA_DIR: '/nonexistent' } })

test('prints a key of the role service_role, signed by the configured key, with a warning', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const { code, stdout, stderr } = await make(
    { JWT_PRIVATE_JWK: JSON.stringify(await exportJWK(privateKey)), PUBLIC_URL: 'https://app.example.com' },
    '--days',
    '30',
  )
  expect(code).toBe(0)
  const token = stdout.trim()
  const { payload } = await jwtVerify(token, publicKey)

  expect(payload).toMatchObject({ role: 'service_role', iss: 'https://app.example.com/auth/v1' })
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(30 * 86_400)
  expect(decodeJwt(token).sub).toBeUndefined()
  expect(stderr).toContain('Keep it on servers only')
  expect(stderr).not.toContain(token)
})

test('names the missing setting', async () => {
  const keyless = await make({})
  expect(keyless.code).not.toBe(0)
  expect(keyless.stderr).toContain('JWT_PRIVATE_JWK')
  const noDays = await make({}, '--days', '0')
  expect(noDays.code).not.toBe(0)
  expect(noDays.stderr).toContain('--days')
})
