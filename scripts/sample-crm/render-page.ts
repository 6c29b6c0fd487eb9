import type { DemoLeadsState } from '../demo-market/demo-leads.ts'
import type { Answering } from './answering.ts'
import type { Arrival, ReceivedRequest } from './received-requests.ts'

export interface PageState {
  readonly demoLeads: DemoLeadsState | undefined
  readonly answering: Answering
  readonly failuresLeft: number
  readonly requests: readonly ReceivedRequest[]
  readonly webhookUrl: string
}

export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#0f5c5c"/><path d="M4 8.5 7 11l5-6" fill="none" stroke="#fff" stroke-width="2"/></svg>'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A sender's input is text, never markup. */
export function escapeHtml(value: string | number): string {
  return String(value).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}

/** The whole page. page.js fetches it again when something has arrived and applies the changes. */
export function renderPage(state: PageState): string {
  const arrivals = state.requests.reduce((sum, request) => sum + request.seen, 0)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sample CRM</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page.css">
<script type="module" src="/page.js"></script>
</head>
<body>
<header>
<h1>Sample CRM</h1>
<p>Stands in for a client’s own CRM: it receives leads, checks each signature and answers as told.</p>
</header>
<main>
<div class="side">
<div id="demo">${state.demoLeads === undefined ? '' : renderDemoLeads(state.demoLeads)}</div>
${renderAnswering(state.answering, state.failuresLeft)}
</div>
<section aria-labelledby="received">
<div class="bar">
<h2 id="received">Received</h2>
<p id="summary" role="status"><b>${state.requests.length}</b> ${state.requests.length === 1 ? 'event' : 'events'} in <b>${arrivals}</b> ${arrivals === 1 ? 'request' : 'requests'}</p>
<form method="post" action="/clear"><button>Clear</button></form>
</div>
<div class="columns" aria-hidden="true"><span>Lead</span><span>Contact</span><span>Event</span><span>Signature</span><span class="number">Attempt</span><span>Answered</span><span>Time</span></div>
<ul id="requests">
${state.requests.map(renderRequest).join('\n')}
</ul>
<p class="empty">Nothing received yet. Point a webhook at <code>${escapeHtml(state.webhookUrl)}</code> and send a test.</p>
</section>
</main>
</body>
</html>
`
}

function renderAnswering(answering: Answering, failuresLeft: number): string {
  const number = (name: 'retry_after_seconds' | 'slow_seconds' | 'fail_times' | 'status', label: string) =>
    `<input type="number" min="0" name="${name}" aria-label="${label}" value="${answering[name]}">`
  const choice = (mode: Answering['mode'], name: string, consequence: string) =>
    `<div class="choice"><label><input type="radio" name="mode" value="${mode}"${answering.mode === mode ? ' checked' : ''}> ${name}</label><small>${consequence}</small></div>`
  return `<form id="answering" method="post" action="/mode">
<fieldset>
<legend>Answer</legend>
${choice('200', 'Accept', '200')}
${choice('fail-next', 'Fail, then accept', `500 for the next ${number('fail_times', 'Requests to fail')} <span id="left">${answering.mode === 'fail-next' ? `${failuresLeft} left` : ''}</span>`)}
${choice('500', 'Fail', '500, so the sender tries again')}
${choice('status', 'Refuse', `with the code ${number('status', 'Response code')}`)}
${choice('429', 'Too many requests', `429, retry after ${number('retry_after_seconds', 'Seconds to wait')} s`)}
${choice('says-no', 'Say no', '200, but the body says that the lead was not taken')}
${choice('not-json', 'Sign-in page', '200 with HTML, as from an expired session')}
${choice('slow', 'Slow', `200 after ${number('slow_seconds', 'Seconds before the answer')} s`)}
${choice('redirect', 'Redirect', '302, which is not followed')}
${choice('hang', 'Hang', 'never answers')}
${choice('reset', 'Reset', 'cuts the connection')}
${choice('410', 'Gone', '410, which switches the webhook off')}
</fieldset>
<label class="strict"><input type="checkbox" name="refuse_unverified"${answering.refuse_unverified ? ' checked' : ''}> Refuse unverified requests with 401</label>
<button class="apply">Apply</button>
</form>`
}

/** The market belongs to the demo, so it is stopped here and not in the product. */
function renderDemoLeads({ isPaused, sent, everySeconds }: DemoLeadsState): string {
  const state = isPaused
    ? 'Paused.'
    : `A fictional lead comes to the demo’s market every ${everySeconds} seconds.`
  return `<form id="demo-leads" method="post" action="/demo-leads">
<h2>Demo leads</h2>
<p role="status">${state} <b>${sent}</b> since the start.</p>
<input type="hidden" name="state" value="${isPaused ? 'running' : 'paused'}">
<button>${isPaused ? 'Resume' : 'Pause'}</button>
</form>`
}

function renderRequest(request: ReceivedRequest): string {
  const newest = request.arrivals[0]
  const { name, email, phone } = request.lead
  const seen = request.seen > 1 ? `<small>seen ${request.seen} times</small>` : ''
  const verified = request.signature === 'verified'
  return `<li data-key="${escapeHtml(request.key)}"><details><summary>
<span class="lead"><b>${name === null ? 'Unknown' : escapeHtml(name)}</b></span>
<span class="contact">${email === null ? '' : `<span>${escapeHtml(email)}</span>`}${phone === null ? '' : `<small>${escapeHtml(phone)}</small>`}</span>
<span class="event">${escapeHtml(request.event ?? 'no event')}${seen}</span>
<span class="signature ${verified ? 'good' : 'bad'}">${verified ? '✓' : '✗'} ${request.signature}</span>
<span class="number"><i>Attempt </i>${newest?.attempt ?? '–'}</span>
<span class="answered">${newest === undefined ? '' : renderAnswered(newest.answered)}</span>
<span class="time">${newest === undefined ? '' : renderTime(newest.at)}</span>
</summary>
<dl>
<dt>webhook-id</dt><dd><code>${escapeHtml(request.webhook_id ?? 'missing')}</code></dd>
<dt>Request</dt><dd>${escapeHtml(request.method)} · ${escapeHtml(request.content_type ?? 'no content type')} · ${request.body_bytes} bytes</dd>
<dt>Arrivals</dt><dd><ol>${request.arrivals.map(renderArrival).join('')}</ol></dd>
<dt>Body</dt><dd><pre tabindex="0">${escapeHtml(request.body)}${request.body_truncated ? '\n… cut here' : ''}</pre></dd>
</dl></details></li>`
}

function renderArrival(arrival: Arrival): string {
  return `<li>${renderTime(arrival.at)} attempt ${arrival.attempt ?? '–'} ${renderAnswered(arrival.answered)}</li>`
}

function renderAnswered(answered: Arrival['answered']): string {
  const good = typeof answered === 'number' && answered < 300
  return `<span class="${good ? 'good' : 'bad'}">${answered}</span>`
}

function renderTime(at: string): string {
  const date = new Date(at)
  return `<time datetime="${at}" title="${escapeHtml(date.toString())}">${date.toLocaleTimeString('en-GB')}</time>`
}
