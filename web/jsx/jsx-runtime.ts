import type { ElementType, Key } from 'react'
import * as react from 'react/jsx-runtime'
import { holdText } from './hold-text.ts'

export { Fragment, type JSX } from 'react/jsx-runtime'

/**
 * The runtime that JSX of web/ compiles to (jsxImportSource in web/tsconfig.json): React's own, with texts
 * wrapped by holdText.
 */
export function jsx(type: ElementType, props: object, key?: Key) {
  return react.jsx(type, holdText(type, props), key)
}

export function jsxs(type: ElementType, props: object, key?: Key) {
  const held = holdText(type, props)
  // If holdText leaves a single child, it is not a list.
  const make = Array.isArray((held as { children?: unknown }).children) ? react.jsxs : react.jsx
  return make(type, held, key)
}
