import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AuthClient } from '@supabase/auth-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '#tests/http/support/start-app.ts'
import { PASSWORD } from '#tests/support/given/password.ts'

let app: TestApp
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'leadwire-web-'))
  await writeFile(
    path.join(folder, 'index.html'),
    '<meta name="leadwire-auth" content="/auth/v1" /><p>app</p>',
  )
  app = await startApp({ AUTH_MOUNT_PATH: '/' }, folder)
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

it('the service is at the root with an empty AUTH_MOUNT_PATH, and the client finds it there', async () => {
  const client = new AuthClient({ url: app.url, autoRefreshToken: false, persistSession: false })
  const { data, error } = await client.signUp({ email: 'root@example.com', password: PASSWORD })
  expect(error).toBeNull()
  const claims = await client.getClaims(data.session?.access_token)
  expect(claims.data?.claims.iss).toBe(app.url)
  const me = await app.call('GET', '/api/v1/me', { token: data.session?.access_token })
  expect(me.status).toBe(200)
})

it('a mount path does not move the web app and the rest of the server', async () => {
  const page = await app.call('GET', '/leads', { headers: { accept: 'text/html' } })
  expect(page.text).toBe('<meta name="leadwire-auth" content="" /><p>app</p>')
  expect(page.headers.get('cache-control')).toBe('no-cache')
  expect((await app.call('GET', '/healthz')).status).toBe(200)
  const screen = await app.call('GET', '/settings', { headers: { accept: 'text/html' } })
  expect(screen.text).toContain('<p>app</p>')
  expect((await app.call('GET', '/settings')).json).toHaveProperty('mailer_autoconfirm')
})
