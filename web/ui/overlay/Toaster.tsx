import clsx from 'clsx'
import { useRef, useState, useSyncExternalStore } from 'react'
import { ALWAYS_REACHED } from './layer/hold-others.ts'
import { Portal } from './layer/Portal.tsx'
import { toastStore } from './toast.ts'
import { ToastCard } from './toast/ToastCard.tsx'
import { useToastKeys } from './toast/use-toast-keys.ts'
import { useToastRoom } from './toast/use-toast-room.ts'
import { useWindowIsLeft } from './toast/use-window-is-left.ts'

/** Shows the toasts in a corner where they cover nothing that is in use. F6 moves to them, Escape back. */
export function Toaster() {
  const { items, corner } = useSyncExternalStore(toastStore.subscribe, toastStore.read)
  const region = useRef<HTMLDivElement>(null)
  const [held, setHeld] = useState(false)
  const left = useWindowIsLeft()
  useToastRoom(region, items)
  useToastKeys(region, items.length > 0)
  return (
    <Portal ref={(layer) => layer?.setAttribute(ALWAYS_REACHED, '')}>
      <div
        ref={region}
        role="region"
        aria-label="Messages"
        aria-live="polite"
        tabIndex={-1}
        className={clsx(
          'fixed right-4 left-4 z-60 outline-none min-[40rem]:w-96 print:hidden',
          corner === 'top right' ? 'top-18' : 'bottom-4',
          corner === 'bottom left' ? 'min-[40rem]:right-auto' : 'min-[40rem]:left-auto',
        )}
      >
        <div
          role="presentation"
          onPointerEnter={() => setHeld(true)}
          onPointerLeave={() => setHeld(false)}
          onFocus={() => setHeld(true)}
          onBlur={() => setHeld(false)}
          className="flex flex-col gap-2"
        >
          {items.map((item) => (
            <ToastCard
              key={item.id}
              item={item}
              paused={held || left}
              onClose={() => toastStore.close(item.id)}
            />
          ))}
        </div>
      </div>
    </Portal>
  )
}
