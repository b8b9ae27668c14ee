"""Pages as they are rendered: documents, their elements, their text and pictures. Changes nothing in them."""
