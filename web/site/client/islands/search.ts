import { isComposing } from '#web/ui/form/is-composing.ts'
import { findEntries, type SearchEntry } from '../find-entries.ts'

const box = document.querySelector<HTMLElement>('#guide-search')
if (box !== null) openSearch(box)

const SHOWN = 8

/**
 * The search box of the documentation, a combobox. The index is loaded at first use and searched in the
 * browser.
 */
function openSearch(box: HTMLElement) {
  const input = pick<HTMLInputElement>('#guide-search-words')
  const list = pick('#guide-search-results')
  const status = pick('#guide-search-status')
  let index: Promise<readonly SearchEntry[]> | undefined
  let chosen = -1

  const read = async () => {
    const response = await fetch(box.dataset['index'] ?? '')
    if (!response.ok) throw new Error(`The index of the search answered ${response.status}`)
    return (await response.json()) as SearchEntry[]
  }
  const show = async () => {
    index ??= read()
    const entries = await index.catch(() => undefined)
    if (entries === undefined) {
      // The next keystroke loads it again.
      index = undefined
      close()
      say('The search could not be loaded. Go on typing to try again, or use the list of guides.')
      return
    }
    const found = findEntries(entries, input.value, SHOWN)
    choose(-1)
    list.replaceChildren(...found.map(drawOption))
    const isOpen = input.value.trim().length >= 2
    list.hidden = !isOpen || found.length === 0
    input.setAttribute('aria-expanded', String(!list.hidden))
    if (isOpen && found.length === 0)
      say(`No guide has “${input.value.trim()}”. Fewer or other words may help.`)
    else say('', isOpen ? `${found.length} results` : '')
  }
  /** Shows a status. Without `words`, only screen readers get `unseen`. */
  const say = (words: string, unseen = '') => {
    status.classList.toggle('sr-only', words === '')
    status.textContent = words === '' ? unseen : words
  }
  const choose = (at: number) => {
    chosen = at
    for (const [each, option] of [...list.children].entries())
      option.setAttribute('aria-selected', String(each === at))
    const option = list.children[at]
    if (option === undefined) input.removeAttribute('aria-activedescendant')
    else {
      input.setAttribute('aria-activedescendant', option.id)
      option.scrollIntoView({ block: 'nearest' })
    }
  }
  const close = () => {
    list.hidden = true
    input.setAttribute('aria-expanded', 'false')
    choose(-1)
  }

  input.addEventListener('input', () => void show())
  input.addEventListener('focus', () => void show())
  // Keeps the focus in the box; otherwise it would close the list before the click counts.
  list.addEventListener('pointerdown', (event) => event.preventDefault())
  input.addEventListener('blur', close)
  input.addEventListener('keydown', (event) => {
    if (isComposing(event)) return
    const count = list.hidden ? 0 : list.children.length
    if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault()
      close()
    } else if (count > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      choose((chosen + (event.key === 'ArrowDown' ? 1 : count - (chosen === -1 ? 0 : 1))) % count)
    } else if (event.key === 'Enter' && count > 0) {
      list.children[Math.max(chosen, 0)]?.querySelector('a')?.click()
    }
  })
}

function drawOption({ title, heading, path }: SearchEntry, at: number): HTMLElement {
  const option = document.createElement('div')
  option.id = `guide-result-${at}`
  option.setAttribute('role', 'option')
  option.setAttribute('aria-selected', 'false')
  const link = document.createElement('a')
  link.href = path
  link.tabIndex = -1
  const main = document.createElement('span')
  main.textContent = heading === '' ? title : heading
  link.append(main)
  if (heading !== '') {
    const under = document.createElement('small')
    under.textContent = title
    link.append(under)
  }
  option.append(link)
  return option
}

function pick<T extends Element = HTMLElement>(selector: string): T {
  const found = document.querySelector<T>(selector)
  if (found === null) throw new Error(`The page has no ${selector}`)
  return found
}
