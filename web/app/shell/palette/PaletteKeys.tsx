import { Command } from 'lucide-react'
import { createElement, useEffect, useEffectEvent, useState } from 'react'
import { fetchPart } from '#web/app/reload-when-stale.ts'
import { whenOnline } from '#web/hooks/when-online.ts'
import { IconButton } from '#web/ui/action/IconButton.tsx'
import { toast } from '#web/ui/overlay/toast.ts'

const isMac = /^(?:Mac|iP)/.test(navigator.platform)

type Palette = Awaited<ReturnType<typeof fetchPalette>>

/** Loaded on demand, because few people open it. */
async function fetchPalette() {
  await whenOnline()
  return (await fetchPart(() => import('./CommandPalette.tsx'), false)).CommandPalette
}

/**
 * Opens search and commands by ⌘K on a Mac, Ctrl+K elsewhere, or its button. Over a dialog the keys do
 * nothing, because the dialog would lose its edits.
 */
export function PaletteKeys() {
  const [isOpen, setOpen] = useState(false)
  const [palette, setPalette] = useState<Palette | null>(null)
  const open = async () => {
    setOpen(true)
    if (palette !== null) return
    try {
      const fetched = await fetchPalette()
      setPalette(() => fetched)
    } catch {
      // The screen stays usable without the palette.
      setOpen(false)
      toast.error('Search and commands could not be loaded. Please try again.')
    }
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, shiftKey, altKey, repeat } = event
    if (key.toLowerCase() !== 'k' || (isMac ? ctrlKey || !metaKey : metaKey || !ctrlKey)) return
    if (shiftKey || altKey) return
    // Keeps the browser's own search from taking the key.
    event.preventDefault()
    if (repeat) return
    if (isOpen) setOpen(false)
    else if (document.querySelector('[aria-modal=true]') === null) void open()
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return (
    <>
      <IconButton
        label="Search and commands"
        title={isMac ? '⌘K' : 'Ctrl+K'}
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        icon={<Command aria-hidden />}
        onClick={() => void open()}
        className="max-sm:hidden"
      />
      {isOpen && palette !== null && createElement(palette, { onClose: () => setOpen(false) })}
    </>
  )
}
