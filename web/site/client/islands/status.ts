import type { ServiceStatus } from '#core/contract/operations/service-status.ts'
import { drawElement } from '../draw-element.ts'

const place = document.querySelector('#service-status')
if (place !== null) void show()

/** Fills in the figures. All texts are set as text: an incident is never read as HTML. */
async function show() {
  const note = pick('#status-note')
  const status = await read().catch(() => undefined)
  if (status === undefined) {
    note.textContent = 'The figures could not be loaded. Reload the page to try again.'
    return
  }
  const asOf = `As of ${say(status.as_of)}.`
  const lasting = status.incidents.filter(({ ended_at: ended }) => ended === null)
  note.textContent =
    lasting.length === 0
      ? `No incident is open. ${asOf}`
      : `Open incident: ${lasting.map(({ title }) => title).join('; ')}. ${asOf}`
  pick('#status-month').replaceChildren(...drawMonth(status))
  pick('#status-incident-list').replaceChildren(...drawIncidents(status.incidents))
  pick('#status-day-rows').replaceChildren(
    ...status.days.toReversed().map(({ day, in_time }) => drawDay(day, in_time, status.objective.percent)),
  )
  for (const part of ['#status-month', '#status-incidents', '#status-days']) pick(part).hidden = false
  pick('#status-days').hidden = status.days.length === 0
}

async function read(): Promise<ServiceStatus> {
  const response = await fetch('/api/v1/status')
  if (!response.ok) throw new Error(`The status answered ${response.status}`)
  return (await response.json()) as ServiceStatus
}

function drawMonth({ month, objective }: ServiceStatus): HTMLElement[] {
  const figures = [
    drawFigure(
      'In time this month',
      month.in_time,
      `within ${objective.seconds} seconds; promised ${objective.percent} %`,
    ),
  ]
  if (month.kept !== null)
    figures.push(drawFigure('Promise kept', month.kept, 'in time, or the price credited'))
  return figures
}

function drawFigure(label: string, percent: number | null, hint: string): HTMLElement {
  return drawElement(
    'div',
    'rounded-lg border border-line bg-surface p-5',
    drawElement('dt', 'text-sm text-muted', label),
    drawElement(
      'dd',
      'mt-1 text-2xl font-semibold tabular',
      percent === null ? 'Too few leads' : write(percent),
    ),
    drawElement('dd', 'mt-1 text-xs text-muted', hint),
  )
}

function drawIncidents(incidents: ServiceStatus['incidents']): HTMLElement[] {
  if (incidents.length === 0) return [drawElement('p', 'text-sm text-muted', 'None.')]
  return incidents.map(({ title, message, began_at: began, ended_at: ended }) =>
    drawElement(
      'article',
      'rounded-lg border border-line bg-surface p-5',
      drawElement('h3', 'font-semibold break-words', title),
      drawElement(
        'p',
        'mt-1 text-xs text-muted',
        ended === null ? `Since ${say(began)}, ongoing` : `${say(began)} to ${say(ended)}`,
      ),
      drawElement('p', 'mt-3 text-sm break-words whitespace-pre-wrap', message),
    ),
  )
}

function drawDay(day: string, percent: number | null, promised: number): HTMLElement {
  const shown =
    percent === null ? 'Few' : percent < promised ? `${write(percent)}, below the promise` : write(percent)
  const name = drawElement('th', 'py-1.5 text-left font-normal tabular', day)
  name.scope = 'row'
  return drawElement(
    'tr',
    'border-t border-line',
    name,
    drawElement('td', 'py-1.5 pl-4 text-right tabular', shown),
  )
}

const write = (percent: number): string => `${percent.toFixed(2)} %`

function say(at: string): string {
  return new Date(at).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' })
}

function pick(selector: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(selector)
  if (found === null) throw new Error(`The page has no ${selector}`)
  return found
}
