import { expect, type Page } from '@playwright/test'
import { readEnvironment } from './e2e-environment.ts'

interface KeptMail {
  id: string
  to: string
  subject: string
  text: string
}

/** The code and link of a mail; empty if it has none. */
export interface ReadMail {
  subject: string
  text: string
  link: string
  code: string
}

/** Lists the mails to an address, newest first, from /dev/mailbox. */
async function listMails(address: string, server: string): Promise<KeptMail[]> {
  const response = await fetch(`${server}/dev/mailbox`, { headers: { accept: 'application/json' } })
  const { data } = (await response.json()) as { data: KeptMail[] }
  return data.filter(({ to }) => to.includes(address))
}

/** Waits for the `count`th mail with this subject to an address, and reads it. */
export async function readMail(
  address: string,
  subject: string,
  { count = 1, server = readEnvironment().server }: { count?: number; server?: string } = {},
): Promise<ReadMail> {
  const find = async () => (await listMails(address, server)).filter((mail) => mail.subject.includes(subject))
  await expect.poll(async () => (await find()).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(count)
  const mails = (await find()).toReversed()
  const { text = '', subject: full = '' } = mails[count - 1] ?? {}
  return {
    subject: full,
    text,
    link: /https?:\/\/\S+\/(?:verify\?|join#)\S+/.exec(text)?.[0] ?? '',
    code: /\b\d{6}\b/.exec(text.replaceAll(/https?:\/\/\S+/g, ''))?.[0] ?? '',
  }
}

/** Opens a mail's link and presses the button of its page. */
export async function openMailLink(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByRole('main').getByRole('button').click()
}
