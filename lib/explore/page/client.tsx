import { render } from 'preact';
import type { PageData } from '../view';
import { App, kept } from './app';
import { sourceOf } from './state';

const data = JSON.parse(document.getElementById('data')?.textContent ?? '{}') as PageData;
const root = document.getElementById('app') as HTMLElement;
const theme = kept();
if (theme !== undefined) document.documentElement.dataset.theme = theme;
// Removes the content that is meant for readers without JavaScript.
root.replaceChildren();
render(<App site={data.site} source={sourceOf(data)} />, root);
