import type { ReactElement } from 'react'
import type { SiteCard } from '#web/site/site-content.ts'

/** The size of an Open Graph picture. */
export const CARD_SIZE = { width: 1200, height: 630 } as const

// The light colours of web/styles.css; satori does not support oklch.
const COLOUR = { canvas: '#faf9f7', ink: '#1e1c1a', muted: '#57534e', accent: '#005f63', line: '#dedbd6' }
const STATIONS = ['Received', 'Assigned', 'Sent', 'Delivered']
const LONG_TITLE = 44
const MOST_TEXT = 190

type Style = Readonly<Record<string, string | number>>
type Child = ReactElement | string

/** Draws the product's name, the subject of the page, and the journey of a lead on one line. */
export function drawCard({ kicker, title, text }: SiteCard): ReactElement {
  const isLong = title.length > LONG_TITLE
  return box(
    {
      ...CARD_SIZE,
      boxSizing: 'border-box',
      padding: '72px 96px 68px',
      background: COLOUR.canvas,
      color: COLOUR.ink,
    },
    [
      row({ alignItems: 'center', gap: 18 }, [
        drawLogo(),
        box({ fontSize: 32, fontWeight: 600, letterSpacing: -0.6 }, 'Leadwire'),
        ...(kicker === '' ? [] : [box({ fontSize: 26, color: COLOUR.muted, marginLeft: 6 }, kicker)]),
      ]),
      box({ flexGrow: 1, justifyContent: 'center' }, [
        box(
          {
            fontSize: isLong ? 54 : 66,
            lineHeight: 1.14,
            fontWeight: 600,
            textWrap: 'balance',
            letterSpacing: isLong ? -1 : -1.5,
          },
          title,
        ),
        box({ marginTop: 22, fontSize: 27, lineHeight: 1.42, color: COLOUR.muted }, shorten(text)),
      ]),
      row({ justifyContent: 'space-between', position: 'relative' }, [
        box({ position: 'absolute', top: 7, left: 8, width: 880, height: 2, background: COLOUR.accent }, []),
        ...STATIONS.map((name) =>
          box({ width: 128 }, [
            box({ width: 16, height: 16, borderRadius: 8, background: COLOUR.accent }, []),
            box({ marginTop: 14, fontSize: 22 }, name),
          ]),
        ),
      ]),
    ],
  )
}

/** Cuts after a whole sentence if one fits, else after a whole word. */
function shorten(text: string): string {
  if (text.length <= MOST_TEXT) return text
  const cut = text.slice(0, MOST_TEXT)
  const sentence = cut.lastIndexOf('. ')
  return sentence > MOST_TEXT / 3 ? cut.slice(0, sentence + 1) : `${cut.slice(0, cut.lastIndexOf(' '))} …`
}

function box(style: Style, children: Child | readonly Child[]): ReactElement {
  return make('div', { style: { display: 'flex', flexDirection: 'column', ...style }, children })
}

function row(style: Style, children: readonly Child[]): ReactElement {
  return box({ flexDirection: 'row', ...style }, children)
}

/** The same logo as in web/app/Logo.tsx. */
function drawLogo(): ReactElement {
  const stroke = { stroke: COLOUR.accent, strokeWidth: 1.5 }
  const circle = (cx: number, props: Style) => make('circle', { cx, cy: 6, ...props })
  return make('svg', {
    viewBox: '0 0 28 12',
    width: 62,
    height: 27,
    children: [
      make('path', { d: 'M3 6h19', ...stroke }),
      circle(3.5, { r: 3, fill: COLOUR.accent }),
      circle(14, { r: 3, fill: COLOUR.accent }),
      circle(24, { r: 2.75, fill: 'none', ...stroke }),
    ],
  })
}

/** Makes an element for satori, in React's form. */
function make(type: string, props: Readonly<Record<string, unknown>>): ReactElement {
  return { type, props, key: null }
}
