// These run before any other module, because they change the console and the storages.
import './app/silence-console.ts'
import './app/keep-storage.ts'
import './app.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { securePage } from './app/page-security.ts'
import { takeAutofill } from './app/take-autofill.ts'
import { reloadWhenStale } from './app/reload-when-stale.ts'
import { stopViewing, viewedClient } from './api/viewed-client.ts'
import { AppRouter } from './routes.tsx'
import { listenForBack } from './ui/use-ask-before-back.ts'

securePage(document)
takeAutofill(document)
reloadWhenStale()
listenForBack()

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
const start = () =>
  createRoot(root).render(
    <StrictMode>
      <AppRouter />
    </StrictMode>,
  )
const viewed = viewedClient()
if (viewed === null) start()
else {
  void import('./app/admin/begin-viewing.tsx').then(
    ({ beginViewing }) => {
      beginViewing(viewed)
      start()
    },
    () => {
      stopViewing()
      start()
    },
  )
}
