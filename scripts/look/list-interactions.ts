import type { Locator, Page } from '@playwright/test'

/** An action that is repeated on a screen while its response is timed. */
export interface Interaction {
  title: string
  path: string
  /** Prepares the screen for the action. */
  begin?: (page: Page) => Promise<void>
  /** One turn; each press and key in it counts. */
  act: (page: Page, turn: number) => Promise<void>
}

const INTEGRATIONS = '/client-integrations?view=configure'

const form = (page: Page) => page.getByRole('dialog', { name: 'Create Webhook Configuration' })
const openForm = async (page: Page) => {
  await page.getByRole('button', { name: 'Add Webhook' }).click()
  await form(page).getByLabel('Webhook Name').waitFor()
}

/** A press opens something, and Escape closes it. */
async function openAndClose(page: Page, opener: Locator, opened: Locator): Promise<void> {
  await opener.click()
  await opened.waitFor()
  await page.keyboard.press('Escape')
  await opened.waitFor({ state: 'detached' })
}

const typed = (turn: number) => 'abcdefghijklmnopqrst'.charAt(turn % 20)

/** The most frequent actions: opening, typing, switching, menus. */
export const INTERACTIONS: readonly Interaction[] = [
  {
    title: 'open and close the webhook dialog',
    path: INTEGRATIONS,
    act: (page) => openAndClose(page, page.getByRole('button', { name: 'Add Webhook' }), form(page)),
  },
  {
    title: 'type a webhook’s name',
    path: INTEGRATIONS,
    begin: async (page) => {
      await openForm(page)
      await form(page).getByLabel('Webhook Name').focus()
    },
    act: (page, turn) => page.keyboard.press(typed(turn)),
  },
  {
    title: 'open and close Advanced options',
    path: INTEGRATIONS,
    begin: openForm,
    act: (page) => form(page).getByRole('button', { name: 'Advanced options', exact: true }).click(),
  },
  {
    title: 'type in the template’s editor',
    path: INTEGRATIONS,
    begin: async (page) => {
      await openForm(page)
      await form(page).getByRole('button', { name: 'Advanced options', exact: true }).click()
      const editor = form(page).getByRole('textbox', { name: 'Payload Template' })
      await editor.click()
      await page.keyboard.press('Control+End')
    },
    act: (page, turn) => page.keyboard.press(typed(turn)),
  },
  {
    title: 'open a choice and choose',
    path: INTEGRATIONS,
    begin: openForm,
    act: async (page, turn) => {
      await form(page).getByRole('combobox', { name: 'HTTP Method' }).click()
      await page.getByRole('option', { name: turn % 2 === 0 ? 'PUT' : 'POST', exact: true }).click()
    },
  },
  {
    title: 'switch in the dialog',
    path: INTEGRATIONS,
    begin: openForm,
    act: (page) => form(page).getByRole('switch').first().click(),
  },
  {
    title: 'open and close a row’s menu',
    path: INTEGRATIONS,
    act: (page) =>
      openAndClose(page, page.getByRole('button', { name: /^Actions for / }).first(), page.getByRole('menu')),
  },
  {
    title: 'open and close the delivery logs',
    path: INTEGRATIONS,
    act: async (page) => {
      await page
        .getByRole('button', { name: /^Actions for / })
        .first()
        .click()
      await openAndClose(
        page,
        page.getByRole('menuitem', { name: 'View Logs', exact: true }),
        page.getByRole('dialog', { name: 'Delivery Logs' }),
      )
    },
  },
  {
    title: 'open and close the profile’s menu',
    path: '/dashboard',
    act: (page) => openAndClose(page, page.getByRole('button', { name: 'Profile' }), page.getByRole('menu')),
  },
  {
    title: 'open search and commands, type, close',
    path: '/dashboard',
    act: async (page) => {
      await page.keyboard.press('Control+k')
      const palette = page.getByRole('dialog')
      await palette.getByRole('combobox').waitFor()
      await page.keyboard.type('web')
      await page.keyboard.press('Escape')
      await palette.waitFor({ state: 'detached' })
    },
  },
  {
    title: 'go from screen to screen by the menu',
    path: '/dashboard',
    act: async (page, turn) => {
      const to = ['Leads', 'Analytics', 'Integrations', 'Dashboard'][turn % 4] ?? 'Dashboard'
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: to }).first().click()
      await page.getByRole('heading', { level: 1 }).first().waitFor()
    },
  },
  {
    title: 'search the list of leads',
    path: '/leads',
    begin: (page) => page.getByRole('main').getByRole('searchbox').first().focus(),
    act: (page, turn) => page.keyboard.press(turn % 4 === 3 ? 'Control+Backspace' : typed(turn)),
  },
  {
    title: 'change the tab of the settings',
    path: '/settings',
    act: (page, turn) =>
      page
        .getByRole('tab')
        .nth((turn + 1) % 4)
        .click(),
  },
]
