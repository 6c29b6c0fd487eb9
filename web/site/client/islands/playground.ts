import type { PayloadType } from '#core/contract/webhooks/webhook-config.ts'
import { JsonSyntaxError } from '#core/domain/webhooks/template/json-tree.ts'
import { showPreview } from '../../home/show-preview.ts'

const form = document.querySelector<HTMLFormElement>('#playground')
if (form !== null) follow(form)

/**
 * Keeps the home page's preview in step with the typed template. An error is shown below the template, and
 * the last valid preview stays.
 */
function follow(form: HTMLFormElement) {
  const template = pick<HTMLTextAreaElement>('#playground-template')
  const output = pick('#playground-output')
  const facts = pick('#playground-facts')
  const problem = pick('#playground-problem')
  const now = new Date(form.dataset['now'] ?? '')
  const show = () => {
    const type: PayloadType = new FormData(form).get('format') === 'FORM' ? 'FORM' : 'JSON'
    try {
      const preview = showPreview(template.value, type, now)
      output.textContent = preview.text
      facts.textContent = `${preview.contentType} · ${preview.bytes} bytes`
      say(preview.unknown.length === 0 ? '' : `No lead has ${preview.unknown.join(', ')}: it is sent empty.`)
    } catch (error) {
      say(error instanceof JsonSyntaxError ? `Not JSON yet: ${error.message}` : 'This cannot be rendered.')
    }
  }
  const say = (text: string) => {
    if (problem.textContent !== text) problem.textContent = text
  }
  form.addEventListener('input', show)
  form.addEventListener('submit', (event) => event.preventDefault())
  // The browser resets the fields after this event.
  form.addEventListener('reset', () => setTimeout(show))
  // A browser that returns to the page restores the typed text.
  show()
}

function pick<T extends Element = HTMLElement>(selector: string): T {
  const found = document.querySelector<T>(selector)
  if (found === null) throw new Error(`The page has no ${selector}`)
  return found
}
