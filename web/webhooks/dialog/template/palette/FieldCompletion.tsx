import { useId, useState, type KeyboardEvent, type ReactNode, type SyntheticEvent } from 'react'
import { isComposing } from '#web/ui/form/is-composing.ts'
import { stepThrough } from './filter-placeholders.ts'
import { placeOffer, type Offer } from './offer-placeholders.ts'
import { PaletteList } from './PaletteList.tsx'

/** The attributes by which a field says that it completes. */
export interface CompletingField {
  'aria-autocomplete': 'list'
  'aria-controls'?: string
  'aria-activedescendant'?: string
}

export interface FieldCompletionProps {
  offerAt: (text: string, caret: number, now: Date) => Offer | null
  /** draws the one input or text area */
  children: (field: CompletingField) => ReactNode
}

/**
 * Completes placeholders in a plain field as the template's editor does: the list opens while one is typed, arrows
 * choose, Enter inserts, Escape closes.
 */
export function FieldCompletion({ offerAt, children }: FieldCompletionProps) {
  const id = useId()
  const [box, setBox] = useState<HTMLElement | null>(null)
  const [offer, setOffer] = useState<Offer | null>(null)
  const [active, setActive] = useState<string | null>(null)
  const groups = offer?.groups ?? []
  const names = groups.flatMap(({ items }) => items.map(({ name }) => name))
  const current = active !== null && names.includes(active) ? active : (names[0] ?? null)

  const look = ({ target }: SyntheticEvent) => {
    if (!isTextField(target)) return
    const { value, selectionStart: caret, selectionEnd } = target
    setOffer(caret === null || caret !== selectionEnd ? null : offerAt(value, caret, new Date()))
  }
  const choose = (inner: string) => {
    const field = box?.querySelector('input, textarea')
    if (offer === null || !isTextField(field)) return
    const { from, to, insert, caret } = placeOffer(field.value, field.selectionStart ?? 0, offer, inner)
    field.setRangeText(insert, from, to)
    field.setSelectionRange(caret, caret)
    // The form hears of it as of typing.
    field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText' }))
    setOffer(null)
    setActive(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (offer === null || isComposing(event.nativeEvent)) return
    const next = stepThrough(names, current, event.key)
    if (next !== undefined) setActive(next)
    else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && current !== null) choose(current)
    else if (event.key === 'Escape') {
      setOffer(null)
      // The dialog around it stays open.
      event.stopPropagation()
    } else return
    event.preventDefault()
  }

  return (
    <>
      <div
        ref={setBox}
        role="presentation"
        className="min-w-0"
        onInput={(event) => {
          // Another word has another best entry.
          setActive(null)
          look(event)
        }}
        onSelect={(event) => {
          if (offer !== null) look(event)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setOffer(null)}
      >
        {children({
          'aria-autocomplete': 'list',
          ...(offer !== null && { 'aria-controls': `${id}-list` }),
          ...(current !== null && { 'aria-activedescendant': `${id}-${names.indexOf(current)}` }),
        })}
      </div>
      {offer !== null && (
        <PaletteList id={id} anchor={box} groups={groups} names={names} current={current} onInsert={choose} />
      )}
    </>
  )
}

function isTextField(element: unknown): element is HTMLInputElement | HTMLTextAreaElement {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
}
