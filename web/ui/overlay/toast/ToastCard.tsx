import clsx from 'clsx'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { IconButton } from '../../action/IconButton.tsx'
import type { ToastItem } from '../toast.ts'

/** Time to read a toast; a failure takes longer. */
const SHOWN_MS = { success: 5000, error: 8000 }

export interface ToastCardProps {
  item: ToastItem
  /** True while nobody can see the toast, or while somebody uses it. */
  paused: boolean
  onClose: () => void
}

export function ToastCard({ item, paused, onClose }: ToastCardProps) {
  const { text, detail, tone, links, times } = item
  const close = useEffectEvent(onClose)
  const left = useRef(SHOWN_MS[tone])
  useEffect(() => {
    left.current = SHOWN_MS[tone]
  }, [tone, times])
  useEffect(() => {
    if (paused) return
    const from = Date.now()
    const timer = setTimeout(() => close(), left.current)
    return () => {
      clearTimeout(timer)
      left.current -= Date.now() - from
    }
  }, [paused, times])
  const Icon = tone === 'error' ? CircleAlert : CircleCheck
  return (
    <div
      role="group"
      className="pop-motion flex items-start gap-3 rounded-lg bg-raised py-2 pr-2 pl-4 shadow-float tight:gap-1.5 tight:pl-2"
    >
      <Icon
        aria-hidden
        className={clsx('mt-1.5 size-4 shrink-0', tone === 'error' ? 'text-failure' : 'text-success')}
      />
      <div className="min-w-0 flex-1 py-1 text-sm break-words text-ink">
        <p>{markLinks(text, links)}</p>
        {detail !== undefined && <p className="text-xs text-muted">{detail}</p>}
      </div>
      <IconButton size="sm" label="Dismiss" icon={<X />} onClick={onClose} />
    </div>
  )
}

/** Returns the text with its link words as links. */
function markLinks(text: string, [link, ...others]: ToastItem['links']): ReactNode {
  if (link === undefined) return text
  const at = text.lastIndexOf(link.text)
  if (at < 0) return markLinks(text, others)
  return (
    <>
      {markLinks(text.slice(0, at), others)}
      <a
        href={link.href}
        onClick={(event) => {
          const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey
          if (link.go === undefined || !isPlain) return
          event.preventDefault()
          link.go()
        }}
        className="rounded-sm font-medium text-accent underline underline-offset-2"
      >
        {link.text}
      </a>
      {markLinks(text.slice(at + link.text.length), others)}
    </>
  )
}
