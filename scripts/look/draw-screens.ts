import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { waitUntil } from '../lab/wait-until.ts'
import { openSession, type Account } from '../start/demo-session.ts'
import { writeTable } from '../site/tables/write-table.ts'
import { SCREENS, type Screen } from './list-screens.ts'
import { signIn, takePicture } from './open-browser.ts'
import { watchRequests } from './watch-requests.ts'

interface Product {
  url: string
  client: Account
  admin: Account
}

const SHOTS = [
  { name: '1280', width: 1280, height: 800, colorScheme: 'light' },
  { name: '390', width: 390, height: 844, colorScheme: 'light' },
  { name: 'dark', width: 1280, height: 800, colorScheme: 'dark' },
] as const

/** Opens every screen as a user who may see it, takes its pictures, and writes docs/screens.md. */
export async function drawScreens(browser: Browser, product: Product, docs: string): Promise<void> {
  const folder = path.join(docs, 'images/screens')
  await rm(folder, { recursive: true, force: true })
  const contexts: Record<Screen['who'], BrowserContext> = {
    nobody: await browser.newContext({ baseURL: product.url, reducedMotion: 'reduce' }),
    client: await signIn(browser, product.url, product.client),
    administrator: await signIn(browser, product.url, product.admin),
    newcomer: await signIn(browser, product.url, await makeNewcomer(product)),
  }
  const first = await findFirstLead(product)
  const rows: string[][] = []
  for (const screen of SCREENS) {
    const page = await contexts[screen.who].newPage()
    const rest = watchRequests(page)
    const to = (screen.open ?? screen.path).replace(':first', first)
    const status = await open(page, to, rest)
    const name = nameFolder(screen.path)
    await mkdir(path.join(folder, name), { recursive: true })
    for (const shot of SHOTS) {
      await page.setViewportSize(shot)
      await page.emulateMedia({ colorScheme: shot.colorScheme })
      await settle(page, rest)
      await writeFile(path.join(folder, name, `${shot.name}.webp`), await takePicture(page))
    }
    const links = SHOTS.map((shot) => `[${shot.name}](images/screens/${name}/${shot.name}.webp)`)
    rows.push([`\`${screen.path}\``, screen.screen, status, await page.title(), ...links])
    await page.close()
  }
  for (const context of Object.values(contexts)) await context.close()
  const page = [
    '# The screens',
    'Each screen that has a path ([product.md §2](product.md#2-screens)), with its HTTP status, its title and three pictures: light at 1280 px and 390 px, dark at 1280 px. `npm run look -- --screens` draws them from a first `npm start`. All people are fictional.',
    writeTable(['Path', 'Screen', 'Status', 'Title', '1280 px', '390 px', 'Dark'], rows),
  ]
  await writeFile(path.join(docs, 'screens.md'), `${page.join('\n\n')}\n`)
}

async function open(page: Page, to: string, rest: () => Promise<void>): Promise<string> {
  await page.setViewportSize(SHOTS[0])
  const answer = await page.goto(to)
  // Until then a skeleton is shown.
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await settle(page, rest)
  const landed = new URL(page.url()).pathname
  if (landed !== to.replace(/\?.*/, '')) throw new Error(`${to} led to ${landed}`)
  return String(answer?.status() ?? '')
}

/** Waits until all requests are answered and nothing moves. */
async function settle(page: Page, rest: () => Promise<void>): Promise<void> {
  await rest()
  const busy = page.locator('[aria-busy="true"]')
  await waitUntil(async () => (await busy.count()) === 0, { what: 'what is being loaded' })
  await page.evaluate('document.fonts.ready.then(() => undefined)')
}

async function findFirstLead({ url, client }: Product): Promise<string> {
  const session = await openSession(url, client)
  if (session === undefined) throw new Error('The demo client cannot sign in')
  const { data } = await session.api.get('leads?limit=1').json<{ data: { id: string }[] }>()
  await session.close()
  const [lead] = data
  if (lead === undefined) throw new Error('The demo client has no lead yet')
  return lead.id
}

/** A client without funds: the screen redirects clients that have some. */
async function makeNewcomer({ url, admin }: Product): Promise<Account> {
  const session = await openSession(url, admin)
  if (session === undefined) throw new Error('The demo administrator cannot sign in')
  const account = { email: 'newcomer@example.com', password: admin.password }
  const json = { ...account, email_confirm: true, user_metadata: { name: 'Nell Newcomer' } }
  await session.accounts.post('admin/users', { json, throwHttpErrors: false })
  await session.close()
  return account
}

function nameFolder(written: string): string {
  if (written === '/') return 'home'
  return written.replaceAll(/[^a-z-]+/g, '-').replaceAll(/^-|-$/g, '')
}
