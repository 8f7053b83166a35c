//! PDF processing: rewriting with libqpdf, rendering and text extraction with PDFium, changes of single objects, text drawing
//! with embedded fonts, page content for the crate `layout`, and the operations on PDF.

// Both libqpdf and mozjpeg link JPEG libraries with the same symbols, and the linker takes the first definition. In this order
// mozjpeg's win, which libqpdf never uses, because it does not decode JPEG here; in the other order JPEG encoding would break.
// A crate that links this one and another JPEG encoder must name this one first.
extern crate qpdf_sys as _;

extern crate mozjpeg as _;

pub mod archive;
pub mod compare;
pub mod content;
pub mod date;
pub mod destinations;
pub mod e_invoice;
pub mod fill;
pub mod flatten;
pub mod form;
pub mod image_to_pdf;
pub mod merge;
pub mod metadata;
pub mod object_copier;
pub mod objects;
pub mod operators;
pub mod overlay;
pub mod patch;
pub mod pdf_a;
pub mod pdf_pages;
pub mod pdf_to_images;
pub mod pdfium;
pub mod protection;
pub mod qpdf;
pub mod sanitize;
pub mod syntax;
pub mod text_drawing;
pub mod trees;
mod unicode_map;
