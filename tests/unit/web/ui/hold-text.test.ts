import type { ElementType, ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { createElement } from '#web/jsx/create-element.ts'
import { Fragment, jsx, jsxs } from '#web/jsx/jsx-runtime.ts'

/** Builds the element that JSX compiles to for these children. */
const element = (type: ElementType, ...children: ReactNode[]) =>
  children.length === 1 ? jsx(type, { children: children[0] }) : jsxs(type, { children })
const show = (type: ElementType, ...children: ReactNode[]) => renderToStaticMarkup(element(type, ...children))
const bold = element('b', '!')

test('a text with siblings gets an element of its own', () => {
  expect(show('p', bold, 'Save')).toBe('<p><b>!</b><span>Save</span></p>')
})

test('a text without siblings stays the content of its element, also beside absent children', () => {
  expect(show('p', 'Saved')).toBe('<p>Saved</p>')
  expect(show('p', 5, ' leads')).toBe('<p>5 leads</p>')
  expect(show('p', false, 'Save', null, undefined)).toBe('<p>Save</p>')
})

test('neighbouring texts are joined, so that a translator reads them as one', () => {
  expect(show('p', 5, ' leads of ', bold, ', today')).toBe(
    '<p><span>5 leads of </span><b>!</b><span>, today</span></p>',
  )
  expect(show('p', 'a', null, 'b', bold)).toBe('<p><span>ab</span><b>!</b></p>')
})

test('elements after joined texts keep their position, by which React identifies them', () => {
  const { props } = element('p', 'a', 1, bold, 'c') as unknown as { props: { children: ReactNode[] } }
  expect(props.children).toHaveLength(4)
  expect([props.children[1], props.children[2]]).toEqual([null, bold])
})

test('a text in a fragment gets an element, because it may have siblings outside the fragment', () => {
  expect(show('p', element(Fragment, 'half'), bold)).toBe('<p><span>half</span><b>!</b></p>')
  expect(show('p', element(Fragment, 'half ', 2), bold)).toBe('<p><span>half 2</span><b>!</b></p>')
})

test('elements with text only, and drawings, get no inner element', () => {
  expect(show('option', 5, ' days')).toBe('<option>5 days</option>')
  expect(show('title', 5, ' days')).toBe('<title>5 days</title>')
  expect(show('text', '5', element('tspan', '%'))).toBe('<text>5<tspan>%</tspan></text>')
})

test('a key after spread attributes changes nothing', () => {
  const made = createElement('p', { key: 'k', className: 'x' }, bold, 'Save ', 5)
  expect(renderToStaticMarkup(made)).toBe('<p class="x"><b>!</b><span>Save 5</span></p>')
  expect(made.key).toBe('k')
})
