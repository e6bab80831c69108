// Conveniences of forms, which work without them: a preview that follows the typing, and systems that are dragged into an
// order. src/view/console/console_form_html.c has the button and the frame of a preview, console_systems_html.c the list.
"use strict";
{
	const IDLE_MS = 800;
	const REST_MS = 3000;
	const isWide = matchMedia("(min-width: 60rem)");

	// The new page replaces the former one when it is complete, which leaves no entry in the history of the browser. The
	// frame does not take the focus from an input.
	const follow = (button) => {
		const { form } = button;
		const frames = [document.getElementsByName(button.formTarget)[0]];
		frames[0].hidden = true; // until it has something to show
		frames[0].removeAttribute("srcdoc");
		let isOpen = false;
		let loading = 0;
		let last = -REST_MS;
		let timer;
		const show = () => {
			const frame = frames.at(-1).cloneNode();
			frame.name += "-";
			button.formTarget = frame.name;
			frame.hidden = isOpen;
			frames.at(-1).after(frame);
			if (!isOpen) frames.shift().remove();
			frames.push(frame);
			isOpen = true;
			loading = last = performance.now();
			frame.addEventListener("load", () => {
				const field = document.activeElement;
				loading = 0;
				frame.hidden = false;
				while (frames[0] !== frame) frames.shift().remove();
				if (form.contains(field)) setTimeout(() => document.activeElement === frame && field.focus({ preventScroll: true }));
			}, { once: true });
		};
		const press = () => {
			if (loading && performance.now() < loading + 4 * REST_MS) wait();
			else if (form.matches(":valid")) form.requestSubmit(button);
		};
		const wait = () => {
			clearTimeout(timer);
			if (isOpen || isWide.matches) timer = setTimeout(press, Math.max(IDLE_MS, last + REST_MS - performance.now()));
		};
		form.addEventListener("input", wait);
		form.addEventListener("submit", ({ submitter }) => {
			clearTimeout(timer);
			if (submitter === button) show();
		});
	};

	// Rows get places in their order, from that of the first row on. A system that is dragged is shown on the page. The other
	// rows move, since a row that moves loses the pointer.
	const order = (list) => {
		const news = document.createElement("p");
		const box = (row) => row.querySelector("[type=checkbox]");
		const place = (row) => row.querySelector("[type=number]");
		const middle = (row) => row.getBoundingClientRect().top + row.offsetHeight / 2;
		const rows = () => [...list.children];
		const first = Math.min(...rows().map((row) => place(row).value || Infinity));
		let dragged;
		let former;
		const drop = () => {
			box(dragged).checked = true;
			rows().filter((row) => box(row).checked).forEach((row, i) => {
				place(row).value = (Number.isFinite(first) ? first : 1) + i;
			});
			const [name, label] = Array.from(dragged.querySelectorAll("label"), (one) => one.textContent.trim());
			news.textContent = `${name}: ${label} ${place(dragged).value}`;
			place(dragged).dispatchEvent(new Event("input", { bubbles: true }));
		};
		const end = () => {
			dragged?.classList.remove("dragged");
			dragged = null;
		};
		list.addEventListener("pointerdown", (event) => {
			if (event.button !== 0 || !event.target.matches(".grip")) return;
			event.preventDefault();
			dragged = event.target.parentElement;
			former = rows();
			dragged.classList.add("dragged");
			list.setPointerCapture(event.pointerId);
		});
		list.addEventListener("pointermove", ({ clientY }) => {
			if (!dragged) return;
			for (let row; (row = dragged.nextElementSibling) && clientY > middle(row);) dragged.before(row);
			for (let row; (row = dragged.previousElementSibling) && clientY < middle(row);) dragged.after(row);
			dragged.scrollIntoView({ block: "nearest" });
		});
		list.addEventListener("pointerup", () => {
			if (dragged && rows().some((row, i) => row !== former[i])) drop();
			end();
		});
		list.addEventListener("pointercancel", () => {
			if (dragged) former.filter((row) => row !== dragged).forEach((row, i) => i < former.indexOf(dragged) ? dragged.before(row) : list.append(row));
			end();
		});
		news.className = "soft";
		news.setAttribute("aria-live", "polite");
		list.after(news);
		list.classList.add("drag");
		for (const row of rows()) {
			const grip = document.createElement("span");
			grip.className = "grip";
			grip.setAttribute("aria-hidden", "true");
			grip.textContent = "\u283f";
			row.prepend(grip);
		}
	};

	document.querySelectorAll("button[formtarget]").forEach(follow);
	document.querySelectorAll("ol.places").forEach(order);
}
