import { expect } from 'vitest'
import type { AccountMail } from '#core/contract/mail.ts'
import { openMail } from '#core/mail/open-mail.ts'
import type { AuthServer } from '../wire/start-auth-server.ts'

/** Returns the newest mail to an address in the outbox, decrypted, with its link's parameters. */
export async function readLinkMail(server: AuthServer, address: string) {
  const [newest] = await readLinkMails(server, address)
  if (newest === undefined) throw new Error('no mail waits for this address')
  return newest
}

/** All mails to an address, newest first. */
export async function readLinkMails(server: AuthServer, address: string) {
  const rows = await server.context.db
    .selectFrom('mails')
    .select(['template', 'data', 'sealed_data'])
    .where('recipient_address', '=', address)
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => {
    const { template, data } = openMail(row, server.context.secrets) as AccountMail
    const query = data.url === null ? new URLSearchParams() : new URL(data.url).searchParams
    return {
      template,
      ...data,
      code: data.code ?? '',
      // A notice about an account links to the sign-in and uses nothing up.
      url:
        data.url === null || template === 'account_exists' ? (data.url ?? '') : pressButton(server, data.url),
      linkToken: query.get('token') ?? '',
      type: query.get('type') ?? '',
      redirectTo: query.get('redirect_to') ?? '',
    }
  })
}

/**
 * Returns the target of the button on the page that a mail's link opens
 * (web/accounts/sign-in/OpenLinkPage.tsx).
 */
export function pressButton(server: AuthServer, mailed: string): string {
  const { search } = new URL(mailed)
  expect(mailed).toBe(`${server.context.config.http.publicUrl}/auth/verify${search}`)
  return `${server.url}/verify${search}`
}

/** Opens a link as a browser does, but does not follow its redirect. */
export async function openLink(url: string, init: RequestInit = {}) {
  const response = await fetch(url, { redirect: 'manual', ...init })
  const location = response.headers.get('Location') ?? ''
  const to = location === '' ? undefined : new URL(location)
  return {
    status: response.status,
    /** without query and fragment */
    page: to === undefined ? '' : `${to.origin}${to.pathname}`,
    location,
    query: to?.searchParams ?? new URLSearchParams(),
    fragment: new URLSearchParams(to?.hash.slice(1) ?? ''),
  }
}
