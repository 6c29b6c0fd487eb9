import { expect, type Page } from '@playwright/test'
import { readEnvironment } from './e2e-environment.ts'

interface KeptMail {
  id: string
  to: string
  subject: string
  text: string
}

/** What a mail holds for its reader; empty where it holds none. */
export interface ReadMail {
  subject: string
  text: string
  link: string
  code: string
}

/** The mails to an address, newest first, as /dev/mailbox has them. */
async function listMails(address: string, server: string): Promise<KeptMail[]> {
  const response = await fetch(`${server}/dev/mailbox`, { headers: { accept: 'application/json' } })
  const { data } = (await response.json()) as { data: KeptMail[] }
  return data.filter(({ to }) => to.includes(address))
}

/** Waits until an address has got its `count`th mail with this subject, and reads that one. */
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
    link: /https?:\/\/\S+\/verify\?\S+/.exec(text)?.[0] ?? '',
    code: /\b\d{6}\b/.exec(text.replaceAll(/https?:\/\/\S+/g, ''))?.[0] ?? '',
  }
}

/** Opens a mail's link and presses the one button of its page. */
export async function openMailLink(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByRole('main').getByRole('button').click()
}
