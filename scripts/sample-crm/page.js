// Without this script the page works with its forms; with it, the page shows arrivals and applies each choice
// at once.
const POLL_MS = 1000
const answering = document.querySelector('#answering')
let version = null

document.documentElement.classList.add('live')
answering.addEventListener('change', (event) => {
  // A number belongs to a choice, so changing it also selects that choice.
  event.target.closest('.choice')?.querySelector('[type=radio]').click()
  void send('/mode', new URLSearchParams(new FormData(answering)))
})
document.querySelector('form[action="/clear"]').addEventListener('submit', (event) => {
  event.preventDefault()
  void send('/clear')
})
document.getElementById('demo').addEventListener('submit', (event) => {
  event.preventDefault()
  void send('/demo-leads', new URLSearchParams(new FormData(event.target)))
})
setInterval(() => {
  if (!document.hidden) void follow()
}, POLL_MS)

async function send(path, body) {
  await reachable(() => fetch(path, { method: 'POST', headers: { accept: 'application/json' }, body }))
  await follow()
}

async function follow() {
  const current = await reachable(async () => (await fetch('/requests.json', { cache: 'no-cache' })).json())
  if (current === undefined || current.version === version) return
  const html = await reachable(async () => (await fetch('/')).text())
  if (html === undefined) return
  version = current.version
  takeOver(new DOMParser().parseFromString(html, 'text/html'))
}

// Replaces only what differs, so that nothing flickers and an open row stays open.
function takeOver(next) {
  for (const id of ['summary', 'left', 'demo'])
    replaceIfChanged(document.getElementById(id), next.getElementById(id))
  for (const input of answering.querySelectorAll('input')) {
    const value = input.type === 'radio' ? `[value="${input.value}"]` : ''
    const other = next.querySelector(`#answering input[name="${input.name}"]${value}`)
    input.checked = other.checked
    if (input.type === 'number' && input !== document.activeElement) input.value = other.value
  }
  const list = document.getElementById('requests')
  const old = new Map([...list.children].map((row) => [row.dataset.key, row]))
  const rows = [...next.getElementById('requests').children].map((row) => {
    const before = old.get(row.dataset.key)
    if (before === undefined) return document.adoptNode(row)
    for (const part of ['summary', 'dl'])
      replaceIfChanged(before.querySelector(part), row.querySelector(part))
    return before
  })
  for (const [index, row] of rows.entries()) {
    if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null)
  }
  while (list.children.length > rows.length) list.lastElementChild.remove()
}

function replaceIfChanged(before, after) {
  if (before.innerHTML !== after.innerHTML) before.replaceChildren(...after.childNodes)
}

// A receiver that restarts is no fault of the page: it says so and keeps polling.
async function reachable(call) {
  try {
    const result = await call()
    delete document.documentElement.dataset.away
    return result
  } catch {
    document.documentElement.dataset.away = ''
    return undefined
  }
}
