import type { TestApp } from '../../support/start-app.ts'
import { readMail } from '../codes/read-mail.ts'

/** Opens the newest mail's link. @returns the token of the session that it gives, if any */
export async function acceptRole(app: TestApp, email: string): Promise<string> {
  const { search } = new URL((await readMail(app, email)).data.url ?? '')
  const opened = await fetch(`${app.url}/auth/v1/verify${search}`, { redirect: 'manual' })
  const { hash } = new URL(opened.headers.get('location') ?? '')
  return new URLSearchParams(hash.slice(1)).get('access_token') ?? ''
}
