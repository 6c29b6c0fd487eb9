import { isComposing } from '#web/ui/form/is-composing.ts'
import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useTheme } from '#web/app/use-theme.ts'
import { leadSearchQuery, SEARCH_MINIMUM } from '#web/api/lead-search.ts'
import { meQuery } from '#web/api/me.ts'
import { memberMay } from '#web/api/use-member-may.ts'
import { DoNotContact } from '#web/components/DoNotContact.tsx'
import { isMeantApart, openApart } from '#web/hooks/open-apart.ts'
import { useDebounced } from '#web/hooks/use-debounced.ts'
import { foundLeadPath } from '#web/paths.ts'
import { useAuth } from '#web/session/auth-context.ts'
import { useOfflineReason } from '#web/ui/action/use-offline-reason.ts'
import { Modal } from '#web/ui/overlay/layer/Modal.tsx'
import { findCommands, type Command } from './commands.ts'
import { PaletteList, type Entry } from './PaletteList.tsx'

const DEBOUNCE_MS = 180

/**
 * Search and commands in one box (⌘K): a combobox with an active option, as in WAI-ARIA's authoring
 * practices.
 */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const run = useCommands(onClose)
  const me = useQuery(meQuery).data
  const { pathname } = useLocation()
  const offline = useOfflineReason(true)
  const wanted = text.trim()
  const search = useDebounced(wanted, DEBOUNCE_MS)
  const found = useQuery(leadSearchQuery(search))
  const isSearching = wanted.length >= SEARCH_MINIMUM && (search !== wanted || found.isFetching)
  // Leads that match an older text are not shown, because Enter would open one of them.
  const leads = wanted.length >= SEARCH_MINIMUM && search === wanted ? (found.data?.data ?? []) : []
  const entries: Entry[] = [
    ...findCommands(text, me?.role === 'admin', (needs) => me === undefined || memberMay(me, needs)).map(
      (command) => ({
        key: command.label,
        group: command.group,
        label: command.label,
        refused: command.does === 'sign_out' ? offline : null,
        run: () => run(command.does),
      }),
    ),
    ...leads.map((lead) => ({
      key: lead.id,
      group: 'Leads',
      label: lead.name ?? 'Unknown',
      mark: <DoNotContact lead={lead} />,
      note: lead.email ?? 'No email',
      refused: null,
      run: () => run({ to: foundLeadPath(pathname, lead.id) }),
      path: foundLeadPath(pathname, lead.id),
    })),
  ]
  const shown = Math.min(active, entries.length - 1)
  const choose = (entry: Entry | undefined, isApart: boolean) => {
    if (entry?.refused !== null) return
    if (isApart && entry.path !== undefined) openApart(entry.path)
    else entry.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && entries.length > 0) {
      event.preventDefault()
      setActive((shown + step + entries.length) % entries.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      choose(entries[shown], isMeantApart(event))
    }
  }

  return (
    <Modal
      labelledBy={`${id}-title`}
      onDismiss={onClose}
      outsideDismisses
      focus={{ first: () => input.current }}
      level="z-50"
      className="items-start justify-center p-4 pt-[12dvh]"
      popupClass="pop-motion flex max-h-[70dvh] w-full max-w-xl flex-col overflow-hidden rounded-lg"
    >
      <h2 id={`${id}-title`} className="sr-only">
        Search and commands
      </h2>
      <div className="relative shrink-0 border-b border-line">
        <Search aria-hidden className="pointer-events-none absolute top-4 left-4 size-4 text-faint" />
        <input
          ref={input}
          role="combobox"
          aria-label="Search leads and commands"
          aria-expanded={entries.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={entries[shown] === undefined ? undefined : `${id}-${shown}`}
          placeholder="Search leads and commands"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
          className="h-12 w-full bg-transparent pr-4 pl-11 text-base outline-none placeholder:text-muted"
        />
      </div>
      <PaletteList id={id} entries={entries} active={shown} onActive={setActive} onChoose={choose} />
      <p role="status" className="shrink-0 border-t border-line px-4 py-2 text-xs text-muted">
        {describe(entries.length, isSearching, wanted.length >= SEARCH_MINIMUM ? offline : null)}
      </p>
    </Modal>
  )
}

function describe(count: number, isSearching: boolean, offline: string | null) {
  if (offline !== null) return `${offline} Commands work.`
  if (isSearching) return 'Searching leads…'
  if (count === 0) return 'Nothing found'
  return (
    <>
      {`${count} found.`}
      {/* A phone has none of these keys. */}
      <span className="max-sm:hidden"> Arrow keys choose, Enter opens, Escape closes.</span>
    </>
  )
}

function useCommands(onClose: () => void) {
  const navigate = useNavigate()
  const { signOut } = useAuth()
  const [, chooseTheme] = useTheme()
  return (does: Command['does']) => {
    onClose()
    if (does === 'sign_out') void signOut()
    else if ('theme' in does) chooseTheme(does.theme)
    else if ('leaveFor' in does) location.assign(does.leaveFor)
    else void navigate(does.to)
  }
}
